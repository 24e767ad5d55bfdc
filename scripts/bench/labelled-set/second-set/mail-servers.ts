import type { Family } from '../family.ts';

/** Mail servers, filters, lists and mailboxes. */
export const MAIL_SERVERS: Family = {
  name: 'mail servers',
  personal: [
    (v) =>
      `postfix/smtp[${v.pid()}]: ${v.hex(10).toUpperCase()}: to=<${v.email()}>, orig_to=<${v.email()}>, relay=${v.host()}[${v.ip()}]:25, delay=0.${v.int(1, 99)}, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as ${v.hex(9).toUpperCase()})`,
    (v) =>
      `postfix/smtpd[${v.pid()}]: NOQUEUE: reject: RCPT from unknown[${v.ip()}]: 550 5.1.1 <${v.email()}>: Recipient address rejected: User unknown; from=<${v.email()}> to=<${v.email()}> proto=ESMTP helo=<${v.host()}>`,
    (v) =>
      `${v.isoSpace()} 1r${v.base64(4)}-000${v.base64(3)}-0${v.base64(1)} => ${v.email()} R=dnslookup T=remote_smtp H=${v.host()} [${v.ip()}] X=TLS1.3:TLS_AES_256_GCM_SHA384:256 C="250 OK id=${v.hex(12)}"`,
    (v) => `${v.isoSpace()} 1r${v.base64(4)}-000${v.base64(3)}-0${v.base64(1)} ** ${v.email()}: Unrouteable address`,
    (v) =>
      `sendmail[${v.pid()}]: ${v.hex(8)}: to=<${v.email()}>, ctladdr=<${v.email()}> (48/48), delay=00:00:0${v.int(1, 9)}, mailer=esmtp, stat=Sent`,
    (v) =>
      `dovecot: imap-login: Login: user=<${v.email()}>, method=PLAIN, rip=${v.ip()}, lip=${v.ip()}, mpid=${v.pid()}, TLS, session=<${v.base64(16)}>`,
    (v) =>
      `dovecot: lmtp(${v.email()})<${v.pid()}><${v.base64(22)}>: sieve: msgid=<${v.hex(16)}@${v.host()}>: stored mail into mailbox 'INBOX'`,
    (v) =>
      `rspamd_task_write_log: id: <${v.hex(24)}@${v.host()}>, qid: <${v.hex(10).toUpperCase()}>, ip: ${v.ip()}, from: <${v.email()}>, rcpts: <${v.email()}>`,
    (v) =>
      `amavis[${v.pid()}]: (${v.digits(5)}-01) Passed CLEAN {RelayedInbound}, [${v.ip()}]:${v.port()} <${v.email()}> -> <${v.email()}>, Queue-ID: ${v.hex(10).toUpperCase()}, Message-ID: <${v.hex(20)}@${v.host()}>, Hits: 0.1`,
    (v) => `spamd: processing message <${v.digits(10)}.${v.digits(5)}@${v.host()}> for ${v.email()}:${v.int(100, 999)}`,
    (v) =>
      `opendkim[${v.pid()}]: ${v.hex(9).toUpperCase()}: DKIM-Signature field added (s=mail, d=example.com) i=${v.email()}`,
    (v) =>
      `Authentication-Results: ${v.host()}; spf=pass smtp.mailfrom=${v.email()}; dmarc=pass header.from=example.com`,
    (v) =>
      `Received: from ${v.host()} (${v.host()} [${v.ip()}]) by ${v.host()} with ESMTPS id ${v.hex(12)} for <${v.email()}>; Mon, 23 Nov 2026 09:${v.int(10, 59)}:00 +0000`,
    (v) => `Return-Path: <${v.email()}> X-Envelope-To: ${v.email()}`,
    (v) => `X-Original-To: ${v.email()} Delivered-To: ${v.email()}`,
    (v) =>
      `msexchange ${v.iso()},${v.ip()},${v.host()},SMTP,RECEIVE,${v.digits(14)},<${v.hex(32)}@${v.host()}>,${v.email()},${v.email()};${v.email()},,${v.digits(5)},1`,
    (v) => `haraka [notice] [${v.uuid().toUpperCase()}.1] [core] queue code=OK sender=<${v.email()}> msg="queued"`,
    (v) =>
      `opensmtpd[${v.pid()}]: ${v.hex(16)} mta delivery evpid=${v.hex(16)} from=<${v.email()}> to=<${v.email()}> rcpt=<-> source="${v.ip()}"`,
    (v) => `qmail: starting delivery ${v.int(1, 999)}: msg ${v.digits(8)} to remote ${v.email()}`,
    (v) => `qmail: info msg ${v.digits(8)}: bytes ${v.digits(4)} from <${v.email()}> qp ${v.pid()} uid 89`,
    (v) => `mailgun event=delivered recipient=${v.email()} message-id=${v.compact()}.1.${v.hex(16)}@mg.example.com`,
    (v) =>
      `{"notificationType":"Bounce","bounce":{"bouncedRecipients":[{"emailAddress":"${v.email()}","status":"5.1.1"}]},"mail":{"messageId":"0100${v.hex(12)}-${v.uuid()}-000000"}}`,
    (v) =>
      `sendgrid [{"email":"${v.email()}","timestamp":${v.seconds()},"smtp-id":"<${v.base64(22)}@geopod-ismtpd-${v.int(1, 9)}>","event":"open"}]`,
    (v) =>
      `mailman: post to list team from ${v.email()}, size=${v.digits(4)}, message-id=<${v.hex(12)}.${v.digits(4)}@${v.host()}>, success`,
    (v) => `majordomo: subscribe announce ${v.email()} (queued)`,
    (v) => `imapsync: Host1 user ${v.email()} 1 messages, Host2 user ${v.email()} 0 messages`,
    (v) => `fetchmail: 3 messages for ${v.email()} at imap.example.net (${v.digits(5)} octets).`,
    (v) =>
      `zimbra mailbox [name=${v.email()};mid=${v.int(1, 99)};ip=${v.ip()};ua=ZimbraWebClient;] soap - SearchRequest elapsed=${v.ms()}`,
    (v) => `Final-Recipient: rfc822;${v.email()} Action: failed Status: 5.2.2`,
    (v) => `Reply-To: "Support, Team" <${v.email()}>, =?UTF-8?Q?J=C3=B3zef?= <${v.email()}>`,
    (v) => `roundcube: <${v.hex(8)}> Successful login for ${v.email()} (ID: ${v.int(1, 99)}) from ${v.ip()}`,
    (v) => `sogo: [ERROR] user ${v.email()}: wrong password, @https://${v.host()}/SOGo`,
    (v) => `postsrsd: <SRS0=${v.base64(4)}=${v.base64(2)}=example.org=anna> rewritten for ${v.email()}`,
    (v) => `DSN: <${v.email()}>... Deferred: Connection refused by ${v.host()}.`,
    (v) => `MAIL FROM:<${v.email()}> SIZE=${v.digits(5)} BODY=8BITMIME`,
    (v) => `list-unsubscribe: <mailto:${v.email()}?subject=unsubscribe>, <https://${v.host()}/u/${v.hex(16)}>`,
    (v) => `"From" => "${v.email()}", "To" => ["${v.email()}"], "MessageID" => "${v.uuid()}"`,
  ],
  lookalikes: [
    (v) =>
      `postfix/cleanup[${v.pid()}]: ${v.hex(10).toUpperCase()}: message-id=<${v.compact()}.${v.digits(5)}.qmail@${v.host()}>`,
    (v) => `Message-ID: <CA${v.base64(20)}=${v.base64(8)}+${v.base64(14)}@mail.gmail.com>`,
    (v) => `In-Reply-To: <${v.hex(8)}-${v.hex(4)}-${v.hex(4)}@${v.host()}>`,
    (v) =>
      `References: <${v.digits(10)}.${v.digits(4)}@${v.host()}> <${v.base64(24)}@${v.host()}> <${v.hex(16)}$${v.hex(8)}@${v.host()}>`,
    (v) => `{"headers":{"Message-Id":"\\u003c${v.hex(20)}@${v.host()}\\u003e","X-Mailer":"x"}}`,
    (v) => `"messageId":"<${v.uuid()}@${v.host()}>","inReplyTo":"<${v.uuid()}@${v.host()}>"`,
    (v) => `Content-ID: <part1.${v.base64(8)}.${v.base64(8)}@${v.host()}>`,
    (v) =>
      `exim: ${v.isoSpace()} 1r${v.base64(4)}-000${v.base64(3)}-0${v.base64(1)} Completed QT=${v.int(1, 9)}s DT=0.1s`,
    (v) => `postfix/qmgr[${v.pid()}]: ${v.hex(10).toUpperCase()}: from=<>, size=${v.digits(4)}, nrcpt=1 (queue active)`,
    (v) =>
      `postfix/anvil[${v.pid()}]: statistics: max connection rate 1/60s for (smtp:${v.ip()}) at Nov 23 09:${v.int(10, 59)}:10`,
    (v) => `opendmarc: ${v.hex(9).toUpperCase()}: example.com pass; policy=none ip=${v.ip()} ts=${v.seconds()}`,
    (v) =>
      `DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s2048; t=${v.seconds()}; bh=${v.base64(43)}=; b=${v.base64(86)}==`,
    (v) => `ARC-Seal: i=1; a=rsa-sha256; t=${v.seconds()}; cv=none; d=google.com; s=arc-20240605; b=${v.base64(80)}`,
    (v) => `dovecot: auth: cache miss, session=<${v.base64(16)}>, uidvalidity=${v.seconds()} uidnext=${v.digits(6)}`,
    (v) => `maildir file ${v.seconds()}.M${v.digits(6)}P${v.pid()}.${v.host()},S=${v.digits(5)},W=${v.digits(5)}:2,S`,
    (v) => `sieve: msgid=<${v.digits(9)}.${v.digits(4)}.${v.millis()}@${v.host()}>: marked as duplicate`,
    (v) =>
      `X-Spam-Status: No, score=-1.${v.digits(3)} tests=[BAYES_00=-1.9, DKIM_SIGNED=0.1] autolearn=ham id ${v.digits(8)}`,
    (v) => `X-MS-Exchange-CrossTenant-Network-Message-Id: ${v.uuid()} X-OriginatorOrg: example.com ts ${v.digits(18)}`,
    (v) => `SMTP banner 220 ${v.host()} ESMTP; queued as 4${v.base64(12)} size ${v.digits(6)}`,
    (v) => `invalid address 'anna@' and '@example.com' and 'a@b' in row ${v.int(1, 99)}`,
    (v) => `rejected: root@localhost, cron@${v.hex(12)}, app@worker-${v.int(1, 9)} have no mail domain`,
  ],
};
