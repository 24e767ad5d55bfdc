import { expect } from 'chai';
import { found } from './found.ts';

/** A text, and the address in it, if it has one. */
type Row = readonly [text: string, address?: string];

function expectAddresses(rows: readonly Row[]): void {
  expect(rows.map(([text]) => [text, ...found(text)])).to.deep.equal(
    rows.map(([text, address]) => (address === undefined ? [text] : [text, `email:${address}`])),
  );
}

describe('createScanner at the boundaries of e-mail addresses', () => {
  it('An address begins after punctuation and signs, and with an underscore', () => {
    expectAddresses([
      ['--joe@example.com', 'joe@example.com'],
      ['to «joe@example.com»', 'joe@example.com'],
      ['2×joe@example.com', 'joe@example.com'],
      ['a÷joe@example.com', 'joe@example.com'],
      ['joe😀anna@example.com', 'anna@example.com'],
      ['..joe@example.com', 'joe@example.com'],
      ['...joe@example.com', 'joe@example.com'],
      ['_joe@example.com', '_joe@example.com'],
      ['-@example.com'],
      ['%@example.com'],
      ["joe'@example.com"],
    ]);
  });

  it('An address contains the letters of other scripts, from the first to the last one of a block', () => {
    expectAddresses([
      ['Àlex@example.com', 'Àlex@example.com'],
      ['사용자@example.com', '사용자@example.com'],
      ['가나@example.com', '가나@example.com'],
      ['kim@예제.한국', 'kim@예제.한국'],
      ['joe@παράδειγμα.xn--qxam', 'joe@παράδειγμα.xn--qxam'],
      ['joe@example.xn--p1ai wrote', 'joe@example.xn--p1ai'],
      ['joe@example.comへ送信', 'joe@example.com'],
      ['宛先joe@example.comへ.次に', 'joe@example.com'],
      ['joe@example.invalidへ'],
      ['joe@example.comé'],
      ['\ua000@example.com'],
      ['\ud7b0@example.com'],
    ]);
  });

  it('An address does not begin within the address before it', () => {
    const text = 'to joe@example.com.Anna@example.org too';
    expect(found(text)).to.deep.equal(['email:joe@example.com', 'email:Anna@example.org']);
  });

  it('An address ends before digits, hyphens and words that follow its domain', () => {
    expectAddresses([
      ['joe@example.com555', 'joe@example.com'],
      ['joe@example.com007', 'joe@example.com'],
      ['joe@example.com911', 'joe@example.com'],
      ['joe@example.com- sent', 'joe@example.com'],
      ['joe@example.com--', 'joe@example.com'],
      ['joe@example.com-.txt', 'joe@example.com'],
      ['joe@example.co- sent', 'joe@example.co'],
      ['joe@example.de555', 'joe@example.de'],
      ['joe@example.de-A', 'joe@example.de'],
      ['joe@example.de-Z', 'joe@example.de'],
      ['joe@example.de-1'],
      ['joe@example.local-The'],
      ['joe@example.com-eu.example.org', 'joe@example.com-eu.example.org'],
      ['joe@example.com.5xx'],
      ['joe@example.com.Also', 'joe@example.com'],
      ['joe@example.com.Zum', 'joe@example.com'],
      ['joe@a.-b.com'],
      ['to x@example.com.svc.local'],
      ['python@3.11 is installed'],
      ['pkg@1.2.3.zip'],
      ['pkg@v1.2.dev'],
    ]);
  });

  it('The parts of an address have at most the lengths of the standard', () => {
    const labels = 'a.'.repeat(125);
    const label = 'a'.repeat(63);
    const quoted = `"${'a'.repeat(30)} ${'b'.repeat(33)}"@example.com`;
    expectAddresses([
      [`joe@${labels}com`, `joe@${labels}com`],
      [`joe@${labels}info`],
      [`joe@${labels.repeat(2)}com`],
      [`joe@${label}.com`, `joe@${label}.com`],
      [`joe@${label}a.com`],
      [quoted, quoted],
      [quoted.replace(' ', '  ')],
    ]);
  });

  it('A local part in quotes begins at the quote that no backslash precedes', () => {
    expectAddresses([
      ['to "joe smith"@example.com', '"joe smith"@example.com'],
      ['"joe \\"x\\" smith"@example.com', '"joe \\"x\\" smith"@example.com'],
      ['""@example.com'],
      ['x"joe"@example.com'],
      ['joe"@example.com'],
      ['to "@example.com'],
    ]);
  });

  it('The prefix of a string literal belongs to the address unless a quote closes the string', () => {
    const longest = `${'a.'.repeat(124)}info`;
    expectAddresses([
      ["b'rien@example.com", "b'rien@example.com"],
      ["b'rien@example.com said 'hi'", "b'rien@example.com"],
      ["to u'rien@example.com", "u'rien@example.com"],
      [`${'-'.repeat(140)} b'joe@example.com'`, 'joe@example.com'],
      ["rb'joe@example.com'", 'joe@example.com'],
      [`b'joe@${longest}'`, `joe@${longest}`],
    ]);
  });

  it('An address in angle brackets can have an equals sign, also after a name', () => {
    const half = 'a'.repeat(32);
    expectAddresses([
      ['to Joe<joe=example.org@example.com>', 'joe=example.org@example.com'],
      [`<${half}=${half}@example.com>`, `${half}@example.com`],
    ]);
  });

  it('An address in a path of Windows is whole in a long line', () => {
    expectAddresses([[`opened C:\\Users\\nora@example.com.ost ${'a'.repeat(200)}`, 'nora@example.com']]);
  });

  it('The elements of a segment before an address are no part of it, also at the beginning of a long text', () => {
    expectAddresses([
      ["UNH+1+ORDERS:D:96A'NAD+BY+joe@example.com'", 'joe@example.com'],
      [`HKTEL:4:1+joe@example.com ${'.'.repeat(200)}`, 'joe@example.com'],
    ]);
  });

  it('The tag of an EDIFACT segment belongs to the address without the qualifier', () => {
    expectAddresses([
      ['COM+joe@example.com', 'COM+joe@example.com'],
      ['joe@example.com:EM', 'joe@example.com'],
    ]);
  });

  it('An address after a URL and a delimiter is no user info of the URL', () => {
    for (const delimiter of [' ', '\t', '?', '#', '<', '>', ','])
      expectAddresses([[`https://example.com${delimiter}joe@example.com`, 'joe@example.com']]);
    expectAddresses([
      ['see https://example.com joe@example.com', 'joe@example.com'],
      ['"https://example.com"="joe@example.com"', 'joe@example.com'],
      ["'https://example.com'='joe@example.com'", 'joe@example.com'],
      ['shard:4/joe@example.com', 'joe@example.com'],
      ['mail//joe@example.com ok', 'joe@example.com'],
      ['url=jdbc:h2:mem:x;user=joe@example.com', 'joe@example.com'],
      [`https://${'a'.repeat(140)};joe@example.com`, 'joe@example.com'],
    ]);
  });

  it('The user info of a URL is an address only if a host follows it', () => {
    expectAddresses([
      ['ftp://joe@example.com@ftp.example.com/pub', 'joe@example.com'],
      [`https://${'a'.repeat(126)};joe@example.com`],
      ['https://user@example.com:8080'],
      ['https://user@example.com:8080/x'],
      ['https://user@example.com?to=anna@example.org', 'anna@example.org'],
      ['https://user@example.com:8080/?to=anna@example.org', 'anna@example.org'],
      ['https://user@example.com: see anna@example.org', 'anna@example.org'],
    ]);
  });
});

describe('createScanner for mailboxes beside logins and phones', () => {
  it('A number after a plus or a SIP scheme is a phone, and a name with digits is not', () => {
    expectAddresses([
      ['+41joe@example.com', '41joe@example.com'],
      ['+0301234567@example.com'],
      ['+9123456789@example.com'],
      ['sip:14155550100@example.com'],
    ]);
  });

  it('The user git is a login on hosts of repositories and before paths', () => {
    expectAddresses([
      ['clone git@github.com failed'],
      ['git@GitHub.com'],
      ['git@git.example.com:repo'],
      ['git@git.example.com/x'],
      ['git@git.example.com:22'],
      ['to git@example.com', 'git@example.com'],
      ['/srv: mail git@example.com', 'git@example.com'],
      ['git@example.com /srv/git', 'git@example.com'],
      ['git@example.com: hello', 'git@example.com'],
    ]);
  });

  it('Arguments, paths and programs on hosts are no mailboxes', () => {
    expectAddresses([
      ["['ssh', 'joe@host.example.com']"],
      ['deploy@host.example.com:~/site'],
      ['mongooseim@mq.example.com'],
      ['event from celery@worker1.example.com'],
      ['cipher aes256-gcm@openssh.com agreed'],
    ]);
  });

  it('A mailbox can be before a colon, in a path and after the name of a key', () => {
    expectAddresses([
      ['GET /~joe@example.com/inbox', 'joe@example.com'],
      ['joe@example.com:: hi', 'joe@example.com'],
      ['git commit by joe@example.com: fix typo', 'joe@example.com'],
      ['app:joe@example.com:1a2b', 'joe@example.com'],
      ['principal=joe@example.COM', 'joe@example.COM'],
    ]);
    expect(found('to joe@example.com; cc anna@example.com')).to.have.length(2);
  });
});
