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
    ['/mail/joe@example.com.eml', 'joe@example.com'],
    ['avatars/joe%40example.com.png', 'joe%40example.com'],
    ['beefed.decade@example.com', 'beefed.decade@example.com'],
    ['1234567890123456@example.com', '1234567890123456@example.com'],
    ['<deadbeef@example.com>', 'deadbeef@example.com'],
    ['delivery 35740: success: to_remote_joe@example.com', 'joe@example.com'],
    ['to_joe@example.com', 'to_joe@example.com'],
    ['AB,4711,<joe@example.com>', 'joe@example.com'],
    ['message <13812345678@example.com> bounced', '13812345678@example.com'],
    ['processing message <joe123456@example.com>', 'joe123456@example.com'],
    ['<email>joe@example.com</email>', 'joe@example.com'],
    ['mailto:joe@example.com?subject=x', 'joe@example.com'],
    ['GET /find?email=x@wp.pl&page=2', 'x@wp.pl'],
    ['/users/x@y.com/orders', 'x@y.com'],
    ["b'joe@example.com'", 'joe@example.com'],
    ["'o'brien@example.ie'", "o'brien@example.ie"],
    ["@p0=N'joe@example.com',@p1=7", 'joe@example.com'],
    ["N'Dour@example.sn", "N'Dour@example.sn"],
    ["'N'Dour@example.sn'", "N'Dour@example.sn"],
    ["Duplicate entry '1-joe@example.com' for key 'u_site_email'", 'joe@example.com'],
    ["Duplicate entry '17-3-joe@example.com' for key 'u_site_email'", 'joe@example.com'],
    ["Duplicate entry 'joe@example.de-17' for key 'u_email_site'", 'joe@example.de'],
    ["Duplicate entry 'joe@example.de-17-3' for key 'u_email_site'", 'joe@example.de'],
    ["invited '1-joe@example.com'", '1-joe@example.com'],
    ["Duplicate entry '4711@example.com' for key 'u_email'", '4711@example.com'],
    ['joe@example.com.1', 'joe@example.com'],
    ['joe@example.com.2.gz', 'joe@example.com'],
    ['joe@example.com.tar.gz', 'joe@example.com'],
    ['joe@example.com.zip', 'joe@example.com'],
    ['joe@example.co.uk.zip', 'joe@example.co.uk'],
    ['joe@example.zip', 'joe@example.zip'],
    ['joe@example.com-20261126.log', 'joe@example.com'],
    ['joe@example.de-2026-11-26.log.gz', 'joe@example.de'],
    ['"joe smith"@example.com', '"joe smith"@example.com'],
    ['user=JOE@EXAMPLE.COM', 'JOE@EXAMPLE.COM'],
    ['contact...joe@example.com', 'joe@example.com'],
    ['44051401359@wp.pl', '44051401359@wp.pl'],
    ['to:4711@example.com', '4711@example.com'],
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
    ['from=<bounces+4711-joe=example.org@mail.example.com>', 'bounces+4711-joe=example.org@mail.example.com'],
    ['<a href=joe@example.com>', 'joe@example.com'],
    ["CTA+IC+:JOE SMITH'COM+joe@example.com:EM'", 'joe@example.com'],
    ["CTA+IC+:JOE SMITH'COM+4711@example.com:EM'", '4711@example.com'],
    ["COM+joe+news@example.com:EM'", 'joe+news@example.com'],
    ['com+joe@example.com', 'com+joe@example.com'],
    ['C:\\Users\\me\\My Mail\\boris@example.com.ost', 'boris@example.com'],
    ['{"path":"D:\\\\mail\\\\nora@example.com.pst"}', 'nora@example.com'],
    ['cut at C:\\njoe@example.com', 'joe@example.com'],
    ['Plan B:\\nrob@example.com', 'rob@example.com'],
    ['Plan B:\\nto:\\nrob@example.com', 'rob@example.com'],
    ['server-backup-01 login ok id=joe@example.com', 'joe@example.com'],
    ['09:15:02 server-backup-01 login ok id=joe@example.com', 'joe@example.com'],
    ['host 1erver-backup-01 login ok id=joe@example.com', 'joe@example.com'],
    ['to alpine.club.2024@example.com', 'alpine.club.2024@example.com'],
    ['to pine.tree.1985@example.com', 'pine.tree.1985@example.com'],
    ['to pine.tom.1.12.1985@example.com', 'pine.tom.1.12.1985@example.com'],
    ['to 19850412.00123@students.example.com', '19850412.00123@students.example.com'],
    ['to rt-4.4.4-sales@example.com', 'rt-4.4.4-sales@example.com'],
    ['to deadbeef.12345@example.com', 'deadbeef.12345@example.com'],
    ['宛先joe@example.xn--p1aiへ', 'joe@example.xn--p1ai'],
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
    'x@example.com.4711.local',
    'x@example.com-2.svc.local',
    'joe@example.com@',
    'just"not"right@example.com',
  ];
  for (const text of negatives)
    it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));

  describe('of other things than mailboxes', () => {
    const others: [string, string[]][] = [
      [
        'ids of messages',
        [
          'message_id="<CAF+abc=x-y@mail.example.com>"',
          'Message-Id : <abc!def@mail.example.com>',
          'message-id <abc@mail.example.com> accepted',
          '{\\"message_id\\":\\"<abc@mail.example.com>\\"}',
          '{"messageId":"abc@mail.example.com"}',
          'in_reply_to=<a@x.example.com>',
          'Content-ID: <part1@mail.example.com>',
          'References: <a1@x.example.com> <b2@y.example.com>,<c3@z.example.com>',
          'References: <a1@x.example.com>\\r\\n <b2@y.example.com>',
          '"references":["<a1=b@x.example.com>","<b2@y.example.com>"]',
          'msgid=CAF+abc=x-y@lists.example.com uid=4',
          '"message-id":"CAF+abc=x-y@lists.example.com"',
          'message id abc@mail.example.com queued',
          'task_write_log: id: <abc.1@mail.example.com>, qid: <4F1>',
          '2026-11-23 09:15:02 1rXyZa-0007Kj-2b <= <> H=mx P=esmtps S=2048 id=a=b@mail.example.com',
          '2026-11-23 09:15:02,123 +0100 1rXyZa-0007Kj-2b <= <> id=abc@mail.example.com',
          'Nov 23 09:15:02 mx exim[123]: 1rXyZa-0007Kj-2b <= <> id=abc@mail.example.com',
          '1rXyZa-0007Kj-2b == joe retry deferred, id=abc@mail.example.com',
          '1rXyZa-00000007Kj9-2bCd Completed QT=2s id=abc@mail.example.com',
          'RECEIVE,4711,<20261126150300.GA4711@mx1.example.com>,2',
          'RECEIVE,4711,<E1rXyZa-0007Kj-2b@mx1.example.com>,2',
          'RECEIVE,4711,<Pine.LNX.4.64.0611261503@mx1.example.com>,2',
          'RECEIVE,4711,<alpine.DEB.2.21.1.2611261503310.4711@mx1.example.com>,2',
          'RECEIVE,4711,<456A1B2C.3040506@mx1.example.com>,2',
          'RECEIVE,4711,<0f7651916cd43dd8=abc@mx1.example.com>,2',
          'status=sent (250 2.6.0 <abc@ex01.example.com> [InternalId=42] Queued mail for delivery)',
          'src="cid:part1.abc@example.com"',
          ',4,<AM0PR05MB58@AM0PR04MB90.eurprd03.prod.outlook.com>,',
          'sent 1202.3200.1785020425777.JavaMail.root@mx1.example.net',
          'RECEIVE,4711,<0f7651916cd43dd8448eb211c80319ca@ex01.example.com>,2',
          'status=sent (250 2.0.0 Ok: queued as <4f1c2aa9d0@mx1.example.com>)',
          'message_id => <abc@mail.example.com>',
          '<message-id>abc@mail.example.com</message-id>',
          '"smtp-id":"<abc@geopod.example.com>"',
          'thread-id <abc@mail.example.com>',
          '{"name":"Message-ID","value":"<abc@mail.example.com>"}',
          '{\\"name\\":\\"References\\",\\"value\\":\\"<a@x.example.com> <b@y.example.com>\\"}',
          'Message-ID:\\r\\n <abc@mail.example.com>',
          'MessageId(abc@mail.example.com)',
          'multipart/related; start="<abc@mail.example.com>"; type="text/xml"',
          'lmtp[1]: Delivered: <abc@mail.example.com> to mailbox: user.joe',
          'P=esmtps S=2048 id=3f1a09c27be45d80$5c1d77e2$9b04aa17@mail.example.com T="Re: Quote"',
          'RECEIVE,4711,<01d9c5a81b2c$8ab3c2e0$6401a8c0@mail.example.com>,2',
          'info: <rt-4.4.4-1234-1700000000-17.4711-6-0@mail.example.com> #4711/9 - Scrip 4',
          'info: <rt-5.0.3rc1-1234-1700000000-1700.4711-12-1@mail.example.com> #4711/9',
          'RECEIVE,4711,<f4fad166fabf@mx1.example.com>,2',
          'STOREDRIVER,DELIVER,99555888461227,<ThPwfmcQcPpcVoAgWlcy4e@mail.example.com>,joe',
          '1rXyZa-0007Kj-2b <= joe H=mx P=esmtps S=2048 id=A672181B261E.725819@mail.example.com',
          'identificativo opec732182.20231104194834.95880.737.1.73@pec.example.it',
          'rspamd_task_write_log: id: <-abc@mail.example.com>, qid: <4F1>',
          'spamd: processing message <4611139873.21115@mx1.example.com> for joe:596',
        ],
      ],
      [
        'ids of calls',
        [
          'Call-ID: a84b4c76e66710@pc33.example.com',
          'call_id=38482@atlanta.example.com',
          'sip.call_id == "38482@atlanta.example.com"',
          'Call-ID "38482@atlanta.example.com"',
          'Replaces: 38482@atlanta.example.com;to-tag=7;from-tag=8',
          'INVITE\\r\\ni: 4711002233-x9@pc33.example.com',
          'script: ci=20261123091502@pc33.example.com',
          "Really destroying SIP dialog '4711002233-x9@pc33.example.com' Method: BYE",
        ],
      ],
      [
        'phones',
        [
          'ruri=sip:+4930123456@pbx.example.com;user=phone',
          'To: <sips:1001@pbx.example.com>',
          '+4930123456@example.com',
        ],
      ],
      [
        'ids of events',
        [
          'UID:20261121T120000Z-1@example.com',
          'iCalUID: 7kukuqrfedlm@example.com',
          'RELATED-TO;RELTYPE=PARENT:20261121-1@example.com',
          'X-WR-RELCALID:4711@example.com',
        ],
      ],
      [
        'logins on hosts',
        [
          'ssh joe@host.example.com',
          'ssh -p 22 -i ~/.ssh/id joe@host.example.com uptime',
          'sftp -v joe@host.example.com',
          'ssh -o BatchMode=yes -J jump@gw.example.com joe@host.example.com',
          'argc=3 a0="ssh" a1="joe@host.example.com" a2="uptime"',
          '["ssh", "-p", "22", "joe@host.example.com"]',
          '{"args":"[\\"ssh\\",\\"joe@host.example.com\\"]"}',
          'scp x.tgz joe@host.example.com:backup',
          'scp x.tgz joe@host.example.com:',
          '[joe@host.example.com ~]$ ls',
          "joe@host.example.com's password: ",
          'joe@host.example.com: Permission denied (publickey).',
          'rsync -a data joe@host.example.com:data',
          'rsync: joe@host.example.com::module/path',
          'pushed to deploy@host.example.com:site/releases',
          'cloned joe@host.example.com:repo.git',
          'jdbc:oracle:thin:scott/tiger@db.example.com:1521/orcl',
        ],
      ],
      [
        'principals',
        [
          'HTTP/web.example.com@EXAMPLE.COM',
          'principal=joe@EXAMPLE.COM',
          'admin joe/admin@EXAMPLE.COM',
          'kinit -k joe@EXAMPLE.COM',
          'no KDC found while getting credentials for joe@EXAMPLE.COM',
          'authtime 1795425302, HTTP/web.example.org@EXAMPLE.ORG for joe@EXAMPLE.ORG',
          'ipa: INFO: [jsonserver_session] admin@CORP.EXAMPLE.COM: user_mod/1',
          'ISSUE: authtime 1795425302, joe@EXAMPLE.COM for krbtgt/EXAMPLE.COM@EXAMPLE.COM',
        ],
      ],
      [
        'programs on hosts',
        [
          '(CID=(PROGRAM=sqlplus@db1.example.com)(HOST=db1))',
          '"process_name":"ora_pmon@db1.example.com"',
          'node: rabbit@mq1.example.com',
          "lost contact with node 'shop@app2.example.com'",
        ],
      ],
      ['source maps', ['loaded main@4f2b91c.map', 'chunk@vendor.map not found']],
    ];
    for (const [what, texts] of others)
      it(`The scanner ignores ${what} that have the form of an address`, () => {
        expect(texts.filter((text) => found(text).length > 0)).to.deep.equal([]);
      });

    it('The scanner finds mailboxes in text that resembles such ids and logins', () => {
      const texts = [
        'From: Joe <joe@example.com>',
        'message-id=<a@x.example.com> from=<joe@example.com>',
        'message-id=<a@x.example.com>, to joe@example.com',
        'preferences: joe@example.com',
        'the ticket references <joe@example.com>',
        'uid=joe@example.com,ou=people',
        'ssh: joe@example.com added a key',
        'sip:joe@example.com',
        'failed to process joe@example.com',
        'anode joe@example.com',
        'program for joe@example.com',
        'i: joe@example.com',
        'SIP dialog of joe@example.com',
        'queued mail for joe@example.com',
        'a0="mail" a1="joe@example.com"',
        'tickets for joe@example.com',
        'GET /users/JOE@EXAMPLE.COM',
        'user JOE@EXAMPLE.COM',
        'joe@example.com:secret',
        'mail joe@example.com: see git log',
        'joe@example.com@https://example.org',
        '(joe@example.com@203.0.113.7)',
        'msgid=abc&to=joe@example.com',
        '{"name":"To","value":"<joe@example.com>"}',
        '{"name":"Message-ID"},{"value":"joe@example.com"}',
        'From: <sip:joe@example.com>;tag=1',
        'restart=<joe@example.com>',
        'meeting start=<joe@example.com>',
        'Loyalty Program (joe@example.com)',
        'started by process (joe@example.com)',
        'node (joe@example.com) joined',
        'two references (joe@example.com) were checked',
        'message id (joe@example.com)',
        'moved message from <joe@example.com> to mailbox: Archive',
        'git: author joe@example.com:fix typo',
        'rsync: contact joe@example.com:now',
        'SMTP ID: joe@example.com',
        'call id "joe@example.com" now',
        'message-id=abc to=joe@example.com',
        'email id: <joe@example.com>',
        'id=joe@example.com',
        'uploaded-backup-01 id=joe@example.com',
        'RCPT,4711,<joe@example.com>,2',
        '{"id":"joe@example.com"}',
        'ISSUE: joe@example.com for review',
        'tip of $25$joe@example.com',
      ];
      expect(texts.filter((text) => !/^email:joe@example\.com$/iu.test(found(text).join()))).to.deep.equal([]);
    });
  });

  it('The scanner finds both addresses between which a text without blanks is', () => {
    expect(found('宛先joe@example.comとanna@example.com')).to.deep.equal([
      'email:joe@example.com',
      'email:anna@example.com',
    ]);
  });

  it('The scanner ignores algorithms of SSH, but not the mailboxes of their authors', () => {
    for (const text of [
      'kex: algorithm: curve25519-sha256@libssh.org',
      'cipher chacha20-poly1305@openssh.com MAC: hmac-sha2-256-etm@openssh.com compression: zlib@openssh.com',
      'rijndael-cbc@lysator.liu.se',
    ])
      expect(found(text), text).to.deep.equal([]);
    expect(found('djm@openssh.com security@libssh.org')).to.have.length(2);
  });

  it('The scanner ignores identities and channels of phones', () => {
    for (const text of [
      'User-Name: 262011234567890@nai.epc.mnc001.mcc262.3gppnetwork.org',
      'New Channel sofia/external/14155550100@example.com [601bb87d]',
      'PJSIP/1001@trunk.example.com',
      'called 4930123456@sip.example.com',
    ])
      expect(found(text), text).to.deep.equal([]);
    expect(found('12345678@qq.com')).to.have.length(1);
  });

  it('The scanner ignores modules of rsync, connections of sftp, mounts and nodes of queues', () => {
    for (const text of [
      'connection unexpectedly closed backup@nas.example.com::nightly',
      'Connecting to deploy@host.example.com...',
      'mount.cifs //joe@fs.example.com/share /mnt',
      'celery@worker1.example.com ready.',
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('The scanner ignores ids that programs made after 2028 or with other digits', () => {
    for (const text of [
      '2028-01-03 05:19:19 2AbCdEf-000000001Xy-1a2B Completed id=38eee686-7313@mx7.example.com',
      'ACCEPT: <acd8437e.7311fea6@mx27.example.com>',
      'uid: 20261126T120000Z-123@example.com',
      '["Call-ID", "3f22@pbx.example.com"]',
      'PUT /cal/7.ics UID=70b2d01be4e823808258d602c0@example.com by 7',
      '1,<35853676074155.AHDW27MJG6@mx.example.com>,2',
      'event UID oiz82c1zsim0uffw09j6p4hv9y@example.com (etag 7)',
      'hdr_mid=<25654fc03d17d82ec2b80016.767@mx.example.com>',
      "Message-ID '<41329919158.x@mx.example.com>'",
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('The scanner ignores methods of Java, and principals in the log of a domain controller', () => {
    for (const text of [
      String.raw`{"stack":"\n\tat com.example.Main$1@11ff57.run(Main.java:158)"}`,
      'TGT was requested. Account Name: joe@CORP.EXAMPLE.COM Service Name: krbtgt Client Address: ::1',
    ])
      expect(found(text), text).to.deep.equal([]);
    expect(found('Security 4769: Account Name: joe@CORP.EXAMPLE.COM Service Name: host7$')).to.deep.equal([]);
    expect(found('krbtgt told joe@example.com of CORP.EXAMPLE.COM')).to.have.length(1);
    expect(found('UID=joe@example.com,OU=people')).to.have.length(1);
  });

  it('The scanner finds an address without what a system joins to it', () => {
    for (const text of [
      '{"display_name":"oidc-joe@example.com"}',
      '5.APE-joe@example.com',
      String.raw`Plan B:\nfoo\njoe@example.com`,
      String.raw`{"a":"b\\njoe@example.com"}`,
    ])
      expect(found(text), text).to.deep.equal(['email:joe@example.com']);
    expect(found(String.raw`store \\fred@example.com\Inbox`)).to.deep.equal(['email:fred@example.com']);
  });
});
