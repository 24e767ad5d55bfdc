import { expect } from 'chai';
import { found } from './found.ts';

describe('createScanner for e-mail addresses', () => {
  const positives: [string, string][] = [
    ['joe@example.com', 'joe@example.com'],
    ['mail joe.smith+news@mail.example.co.uk, thanks', 'joe.smith+news@mail.example.co.uk'],
    ['<joe@example.com>', 'joe@example.com'],
    ['"Joe" <joe@example.com>;', 'joe@example.com'],
    ['write to joe@example.com.', 'joe@example.com'],
    ['joe@example.com.Then', 'joe@example.com'],
    ['mailto:joe@example.com?subject=x', 'joe@example.com'],
    ['GET /find?email=x@wp.pl&page=2', 'x@wp.pl'],
    ['/users/x@y.com/orders', 'x@y.com'],
    ["b'joe@example.com'", 'joe@example.com'],
    ["'o'brien@example.ie'", "o'brien@example.ie"],
    ['"joe smith"@example.com', '"joe smith"@example.com'],
    ['user=JOE@EXAMPLE.COM', 'JOE@EXAMPLE.COM'],
    ['contact...joe@example.com', 'joe@example.com'],
    ['44051401359@wp.pl', '44051401359@wp.pl'],
    ['12345678Z@example.es', '12345678Z@example.es'],
    ['邮箱foo@example.cn', 'foo@example.cn'],
    ['联系 用户@例子.中国', '用户@例子.中国'],
    ['jürgen@müller.example.de', 'jürgen@müller.example.de'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    ['{\\"to\\":\\"joe@example.com\\"}', 'joe@example.com'],
    ['line\\njoe@example.com', 'joe@example.com'],
    ['from"joe@example.com"', 'joe@example.com'],
    ['smtp://joe@example.com:secret@host.example.com', 'joe@example.com'],
    ['mailto:joe@example.com:8080', 'joe@example.com'],
    ['17:joe@example.com:4711', 'joe@example.com'],
    ['joe:joe@example.com:active', 'joe@example.com'],
  ];
  for (const [text, address] of positives) {
    it(`The scanner finds ${address} in: ${text}`, () => expect(found(text)).to.deep.equal([`email:${address}`]));
  }

  const negatives = [
    'joe@',
    '@example.com',
    'joe@localhost',
    'joe@example',
    'joe@example.notatld',
    'joe@@example.com',
    'a@b@example.com',
    'joe..smith@example.com',
    'joe.@example.com',
    'joe@-example.com',
    'joe@example..com',
    'joe@_example.com',
    `${'a'.repeat(65)}@example.com`,
    `joe@${'a'.repeat(64)}.com`,
    'https://user:pw@example.com/x',
    'https://user@example.com/x',
    'postgres://u:p@db.example.com:5432/x',
    'git@github.com:org/repo.git',
    'deploy@host.example.com:/var/www',
    'dsn=app:s3cret@db.example.com:5432/main',
    'connected to app:s3cret@db.example.com:6379',
    'logo@2x.png',
    'icon@2x.zip',
    'user@1000.service',
    'lodash@4.17.21',
    '@types/node@20.19.43',
    'joe@192.168.0.1',
    'Message-ID: <20261121.4711@mail.example.com>',
    'java.lang.Object@1b2c3d4',
    'sha256@4711',
    'a @ b.com',
    'Listener@493]',
    '@@@@',
    'x@example.com.svc.local',
    'joe@example.com@',
    'just"not"right@example.com',
  ];
  for (const text of negatives)
    it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));
});
