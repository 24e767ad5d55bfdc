import { asciiJson, json } from '../escapes.ts';
import type { Family } from '../family.ts';
import type { Values } from '../values.ts';

/**
 * An id of a message in one of the forms of mail software. It is not an address, although it is
 * written as one.
 */
function messageId(v: Values): string {
  const host = v.pick([
    'mail.example.com',
    'smtp.example.org',
    'mx1.example.net',
    'example.de',
    'eu-west-1.amazonses.com',
  ]);
  return v.pick([
    `<${v.compact()}.${v.hex(12).toUpperCase()}@${host}>`,
    `<CAJ${v.base64(18)}=${v.base64(9)}@mail.gmail.com>`,
    `<${v.uuid()}@${host}>`,
    `<E1${v.base64(5)}-000${v.base64(3)}-${v.base64(2)}@${host}>`,
    `<${v.int(1, 9999)}.${v.int(1, 9999)}.${v.millis()}.JavaMail.root@${host}>`,
    `<010201${v.hex(10)}-${v.uuid()}-000000@${host}>`,
    `<AM0PR0${v.int(1, 9)}MB${v.digits(4)}${v.hex(20).toUpperCase()}@AM0PR0${v.int(1, 9)}MB${v.digits(4)}.eurprd03.prod.outlook.com>`,
  ]);
}

const bare = (id: string): string => id.slice(1, -1);

/** Postfix, Exim, Sendmail, Dovecot, Exchange, rspamd, headers, calendars. */
export const MAIL: Family = {
  name: 'mail',
  personal: [
    (v) =>
      `${v.bsd()} mail postfix/smtp[${v.pid()}]: ${v.hex(11).toUpperCase()}: to=<${v.email()}>, relay=${v.host()}[${v.ip()}]:25, delay=0.${v.digits(2)}, dsn=2.0.0, status=sent (250 2.0.0 OK ${v.seconds()} ${v.hex(16)}.${v.int(10, 99)} - gsmtp)`,
    (v) =>
      `${v.bsd()} mail postfix/qmgr[${v.pid()}]: ${v.hex(11).toUpperCase()}: from=<${v.email()}>, size=${v.int(100, 99999)}, nrcpt=1 (queue active)`,
    (v) =>
      `NOQUEUE: reject: RCPT from unknown[${v.ip()}]: 450 4.7.1 <${v.email()}>: Recipient address rejected: Greylisted; from=<${v.email()}> to=<${v.email()}> proto=ESMTP helo=<${v.host()}>`,
    (v) =>
      `${v.isoSpace()} 1${v.base64(5)}-000${v.base64(3)}-${v.base64(2)} <= ${v.email()} H=${v.host()} [${v.ip()}] P=esmtps X=TLS1.3 S=${v.int(100, 99999)} id=${bare(messageId(v))}`,
    (v) =>
      `${v.isoSpace()} 1${v.base64(5)}-000${v.base64(3)}-${v.base64(2)} => ${v.email()} R=dnslookup T=remote_smtp H=${v.host()} [${v.ip()}] C="250 OK id=1${v.base64(5)}-000${v.base64(3)}-${v.base64(2)}"`,
    (v) =>
      `${v.bsd()} mx sendmail[${v.pid()}]: ${v.base64(14)}: from=<${v.email()}>, size=${v.int(100, 99999)}, class=0, nrcpts=1, msgid=${messageId(v)}, proto=ESMTP, daemon=MTA, relay=${v.host()} [${v.ip()}]`,
    (v) =>
      `${v.bsd()} imap dovecot: imap-login: Login: user=<${v.email()}>, method=PLAIN, rip=${v.ip()}, lip=${v.ip()}, mpid=${v.pid()}, TLS, session=<${v.base64(16)}>`,
    (v) =>
      `${v.bsd()} imap dovecot: lmtp(${v.email()})<${v.pid()}><${v.base64(22)}>: msgid=${messageId(v)}: saved mail to INBOX`,
    (v) =>
      `From: "Novak, Jan" <${v.email()}> To: ${v.email()} Subject: Invoice ${v.order()} Message-ID: ${messageId(v)}`,
    (v) =>
      `rspamd_task_write_log: id: ${messageId(v)}, qid: <${v.hex(11).toUpperCase()}>, ip: ${v.ip()}, from: <${v.email()}>, (default: F (no action): [-0.10/15.00]), len: ${v.int(100, 99999)}, rcpts: <${v.email()}>`,
    (v) =>
      `${v.iso()},${v.ip()},${v.host()},,EX01,08D${v.hex(13).toUpperCase()},Default,SMTP,RECEIVE,${v.digits(10)},,${v.email()},,${v.int(100, 99999)},1,,,Invoice,${v.email()}`,
    (v) => `ORGANIZER;CN=Luis Garcia:mailto:${v.email()} UID:${v.compact()}Z-${v.hex(8)}@example.com`,
    (v) => `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${v.email()}`,
    (v) =>
      asciiJson(
        `{"notificationType":"Bounce","mail":{"source":"${v.email()}","commonHeaders":{"messageId":"${messageId(v)}"}}}`,
      ),
    (v) =>
      `Final-Recipient: rfc822; ${v.email()} Action: failed Status: 5.1.1 Diagnostic-Code: smtp; 550 5.1.1 user unknown`,
    (v) =>
      `Delivered-To: ${v.email()} Received: by ${v.ip()} with SMTP id ${v.hex(12)}; ${v.bsd()} Return-Path: <${v.email()}>`,
    (v) =>
      `dkim=pass header.i=@example.com header.s=sel${v.int(1, 9)}; spf=pass smtp.mailfrom=${v.email()}; dmarc=pass`,
    (v) =>
      `amavis[${v.pid()}]: (${v.digits(5)}-01) Passed CLEAN, [${v.ip()}] <${v.email()}> -> <${v.email()}>, Message-ID: ${messageId(v)}, mail_id: ${v.base64(12)}, Hits: -1.9`,
    (v) => `pop3 user ${v.email()}@https://${v.host()}/webmail quota ${v.int(1, 99)}%`,
  ],
  lookalikes: [
    (v) => `${v.bsd()} mail postfix/cleanup[${v.pid()}]: ${v.hex(11).toUpperCase()}: message-id=${messageId(v)}`,
    (v) => `Message-ID: ${messageId(v)}`,
    (v) => `In-Reply-To: ${messageId(v)} References: ${messageId(v)} ${messageId(v)} ${messageId(v)}`,
    (v) => `References: ${messageId(v)}\t${messageId(v)}`,
    (v) => json(`{"headers":{"message-id":"${messageId(v)}","references":"${messageId(v)} ${messageId(v)}"}}`),
    (v) =>
      `{"event":"delivered","message":{"headers":{"message-id":"${bare(messageId(v))}"}},"timestamp":${v.seconds()}.${v.digits(6)}}`,
    (v) => `{"internetMessageId":"${messageId(v)}","conversationId":"AAQk${v.base64(40)}="}`,
    (v) => `Content-ID: <part1.${v.base64(8)}.${v.base64(8)}@example.com> Content-Type: image/png`,
    (v) => `UID:${v.uuid()}@calendar.example.com`,
    (v) =>
      `{"kind":"calendar#event","id":"${v.hex(26)}","iCalUID":"${v.hex(26)}@google.com","sequence":${v.int(0, 9)}}`,
    (v) => `BEGIN:VEVENT DTSTAMP:${v.compact()}Z UID:${v.compact()}Z-${v.digits(6)}@example.org SEQUENCE:0`,
    (v) => `Resent-Message-ID: ${messageId(v)} X-Mailer: ledger ${v.version()}`,
    (v) =>
      `${v.bsd()} mail opendkim[${v.pid()}]: ${v.hex(11).toUpperCase()}: DKIM-Signature field added (s=mail, d=example.com, t=${v.seconds()})`,
    (v) =>
      `${v.bsd()} imap dovecot: indexer-worker: Indexed ${v.int(1, 999)} messages, uid ${v.digits(9)}, uidvalidity ${v.seconds()}, GUID ${v.hex(32)}`,
    (v) => `thread index msgid=${bare(messageId(v))} uid=${v.digits(9)}`,
    (v) => `${v.isoSpace()} 1${v.base64(5)}-000${v.base64(3)}-${v.base64(2)} Completed QT=${v.int(1, 9)}s DT=0s`,
    (v) => `\\"In-Reply-To\\":\\"${messageId(v)}\\",\\"Date\\":\\"${v.clf()}\\"`,
    (v) => `x-ms-exchange-crosstenant-id: ${v.uuid()} x-message-id: ${bare(messageId(v))}`,
    (v) =>
      `list archive https://lists.example.com/msgid/${v.hex(20)} thread ${v.digits(10)} from=<> size=${v.int(100, 9999)}`,
  ],
};
