// Decides whether an address can be a person's mailbox. The same form names messages, calls and
// events, logins and programs on a host, phones, and principals of Kerberos.
import { testAt } from './sticky-pattern.ts';

/** An address at text[start, end), with its `@` at `at`. */
export interface Address {
  readonly text: string;
  readonly start: number;
  readonly at: number;
  readonly end: number;
}

/** The maximum number of characters next to an address that are read. */
const MAX_DISTANCE = 100;

const QUOTES = '["\'\\\\]{0,6}';
/** A separator of a key: `=`, `: `, `=>` and `==`. */
const DELIMITER = `${QUOTES}\\s{0,3}=?[=:]>?\\s{0,3}[[(]?${QUOTES}`;
const ID_KEY =
  '(?:message|msg|content|call|thread)[-_ ]?id|smtp-id|in[-_]?reply[-_]?to|i[-_]?cal[-_]?uid|(?<![a-z])references';
/** The characters of an id before the part that has the form of an address. */
const ID_PART = '[\\w.+!#$%*/=^{|}~-]{0,64}';
/**
 * An id after its key, `message-id=`, `"callId":"`, `MessageId(`, `<message-id>`, or after `cid:`.
 * A sticky lookbehind reads from the address backwards, and only as far as it matches.
 */
const KEYED_ID = new RegExp(
  `(?<=(?:(?:${ID_KEY})(?:${DELIMITER}|["'\\\\]{1,4},\\s{0,2}["'\\\\]{1,4}|[(>]${QUOTES})|(?:message|msg|call)[-_ ]?id\\s|call-id\\s["']|(?<![\\w-])[cm]id:)${ID_PART})`,
  'iuy',
);
/**
 * The same before an id in angle brackets, and before a list of such ids. `id:` alone is enough.
 */
const BRACKETED_ID = new RegExp(
  `(?<=(?:(?:${ID_KEY})(?:${DELIMITER}|[(>]["']?|(?<!references)\\s["']?|:\\\\r\\\\n\\s)|(?:^|[^\\w\\s-]\\s?)m?id${DELIMITER}|queued as )` +
    '(?:<[^<>\\s]{0,128}>(?:[\\s,"\']|\\\\[rnt"]){0,8}){0,20}<[^<>\\s]{0,64})',
  'iuy',
);
/** An id in a line of Exim, which the id of the queued message begins: `1rXyZa-0007Kj-2b … id=`. */
const EXIM_ID = /(?:^|\s)[1-9]\w{5,6}-(?:\w{6}-\w{2}|\w{11}-\w{4})\s[^\n]*\sid=[^\s<>"]{0,64}$/u;
/** The fields of events in a calendar. In lower case, `uid` is also the name of a user. */
const CALENDAR_UID = /(?:^|\s|\\n)(?:UID|RELATED-TO|X-WR-RELCALID):$/u;
/** Hosts that occur in ids of messages and calls only. */
const ID_HOST = /[@.](?:(?:prod\.outlook|amazonses)\.com|3gppnetwork\.org)$/iu;
/** An id of Gmail, whose host also has mailboxes: `CAKx1abcDEF=_xyz@mail.gmail.com`. */
const GMAIL_ID = /(?<![\w.%-])CA(?=[\w.+=-]*[a-z])(?=[\w.+=-]*[A-Z\d])[\w.+=-]{8,96}@mail\.gmail\.com$/u;
/**
 * Names as mail software makes them for messages: by JavaMail, Pine, mutt (the time) and Exim (the
 * id in its queue), a UUID, groups of digits, and long hexadecimal digits.
 */
const MACHINE_NAME = new RegExp(
  '^(?:(?:al)?pine\\.[a-z\\d]{3}\\.\\d\\.\\d+\\.[\\d.]*\\d{6}|20\\d{12}\\.\\w|\\d{14}\\.[\\dA-Z]{9,}$|20\\d{6}T\\d{6}|' +
    '\\d[^@]*\\.JavaMail\\.|E?[1-9](?=\\w*[A-Z])\\w{5,6}-(?:\\w{6}-\\w{2}|\\w{11}-\\w{4})$|(?=\\d*[a-f])(?=[a-f]*\\d)[\\da-f]{8}\\.[\\da-f]{5,8}$|' +
    '[\\da-f]{8}(?:-[\\da-f]{4}){1,3}-[\\da-f]{12}$|\\d{8,}(?:\\.\\d+){2,}$|(?=\\D*\\d)[\\da-f]{10,}\\.\\d+$|opec\\d+\\.\\d{14}\\.|' +
    'rt-\\d[\\w.]*(?:-\\d+){3}\\.|(?=\\D*\\d)(?:[\\da-f]{32,}$|(?=\\d*[a-f])[\\da-f]{12,}$|[\\da-f]{12,}=))',
  'iu',
);
const MIN_MACHINE_NAME_LENGTH = 10;
/** The last group of an id of Outlook: `000001c2a3b4$8ab3c2e0$6401a8c0@…`. */
const OUTLOOK_ID = /[\da-f]{8,16}\$[\da-f]{8}\$$/iu;

/** Commands whose argument is a login: `ssh -p 22 joe@host.example.com`, `["ssh","joe@…`. */
const NEXT_ARGUMENT = '(?:\\s+|\\\\?["\'](?:,\\s*|\\sa\\d+=)\\\\?["\'])';
const LOGIN_COMMAND = new RegExp(
  '(?<=(?:^|[\\s"\'`$;|&/])(?:(?:auto)?ssh|sftp|mosh|ssh-copy-id)' +
    `(?:${NEXT_ARGUMENT}-[\\w-]+(?:(?:${NEXT_ARGUMENT}|=)[^\\s"',-][^\\s"',]*)?){0,8}${NEXT_ARGUMENT})`,
  'uy',
);
/** Commands whose arguments are paths on hosts: `rsync -a data joe@host.example.com:data`. */
const COPY_COMMAND = /(?:^|[\s"'`$;|&/])(?:(?:scp|rsync|git)\s[^\n]*|rsync:\s)$/u;
/** The prompt of a shell or of `ssh`, the error of `ssh`, and a module of rsync, after a login. */
const PROMPT = /'s password|: Permission denied|\s[~/][\w./-]{0,64}\][$#]|::\w/uy;
/** A path after the colon, which does not begin with a port: `joe@host.example.com:data/x`. */
const PATH_AFTER = /:(?:[/~]|(?!\d+\/)[\w.-]+(?:\/|\.git(?![\w.-])))/uy;
/** A login of a URL without a scheme, `app:s3cret@db.example.com:5432`, or before a path. */
const LOGIN_NAME = /[\w-]*[a-z][\w-]*:$/iu;
const ADDRESS_WORD = /(?:mail|mailto|to|from|cc|bcc|sender|recipient|contact|acct|address|sip):$/iu;
const PORT = /:\d{2,5}(?![\w.-])/uy;
const CONNECTION = /(?<=\b(?:Connect(?:ing|ed)?|connection) to )|(?<=jdbc:\S{1,100}\/)/uy;
/** `git` is the user of every client of a repository's host. */
const GIT_AFTER = /\/|:[a-z\d]/iuy;
const GIT_HOST = /@(?:github\.com|gitlab\.com|bitbucket\.org|ssh\.dev\.azure\.com|codeberg\.org)$/iu;
/** Algorithms and extensions of SSH, which have the host of their author: `zlib@openssh.com`. */
const SSH_NAME =
  /^(?=[a-z\d-]*(?:\d|cbc|ctr|zlib|-))[a-z\d-]+@(?:openssh\.com|libssh\.org|tinyssh\.org|lysator\.liu\.se|ssh\.com)$/u;

/** Programs whose nodes are named `program@host`. */
const NODE = /^(?:celery|rabbit|ejabberd|emqx|vernemq|couchdb|riak)@/iu;
/**
 * The number of a phone, after its scheme, a plus or its channel (`PJSIP/1001@…`), or at such a
 * host.
 */
const PHONE = /^\d+@(?:(?:sips?|sbc|pbx|voip|ims|trunk|asterisk)\d*[.-])?/iu;
const PHONE_BEFORE = /(?:\bsips?:|(?<!\w)\+|(?:\bsofia\/[\w.-]{1,64}|SIP|IAX2|Local)\/)$/iu;

/** A principal of Kerberos before its last component, `HTTP/`, or after its key. */
const PRINCIPAL_BEFORE =
  /(?:^|[\s=:"'`(<[,])[\w.$-]+\/$|principal["'\\]*\s*[=: ]\s*["'\\]*$|\bkinit(?:\s+-\S+){0,4}\s+$|\b(?:credentials|tickets?) for\s["'\\]*$|\/[\w.-]+@[A-Z\d.-]+ for $/iu;
/** Words in the log of a domain controller. */
const KERBEROS = /kerberos|krbtgt|krb5|Service Name: |ipa: | for [\w.-]+\/[\w.-]+@/iu;

/** Whether the address can be a person's mailbox. */
export function isMailbox(address: Address): boolean {
  return !isMessageId(address) && !isLogin(address) && !isPrincipal(address) && !isService(address);
}

function textBefore({ text, start }: Address, length = MAX_DISTANCE): string {
  return text.slice(Math.max(0, start - length), start);
}

/** Whether the address is the id of a message, a call or an event. */
function isMessageId(address: Address): boolean {
  const { text, start, at, end } = address;
  const host = text.slice(at, end);
  if (ID_HOST.test(host)) return true;
  if (host === '@mail.gmail.com' && GMAIL_ID.test(text.slice(Math.max(0, at - 100), end))) return true;
  if (at - start > MIN_MACHINE_NAME_LENGTH && MACHINE_NAME.test(text.slice(start, at))) return true;
  if (testAt(KEYED_ID, text, start) || testAt(BRACKETED_ID, text, start)) return true;
  switch (text.charAt(start - 1)) {
    case ':':
      return CALENDAR_UID.test(textBefore(address, 40));
    case '$':
      return OUTLOOK_ID.test(textBefore(address, 40));
    case '=':
      return text.startsWith(' id=', start - 4) && EXIM_ID.test(textBefore(address, 320));
    default:
      return false;
  }
}

/** Whether the address is the login of a connection: by a command, a port, a path, or `git`. */
function isLogin(address: Address): boolean {
  const { text, start, at, end } = address;
  if (testAt(PROMPT, text, end) || testAt(PATH_AFTER, text, end)) return true;
  if (text.startsWith('//', start - 2) && text.charAt(end) === '/') return true;
  if (SSH_NAME.test(text.slice(start, end))) return true;
  if (
    at - start === 3 &&
    text.startsWith('git@', start) &&
    (testAt(GIT_AFTER, text, end) || GIT_HOST.test(text.slice(at, end)))
  )
    return true;
  if (testAt(LOGIN_COMMAND, text, start) || testAt(CONNECTION, text, start)) return true;
  if (text.charAt(end) !== ':') return false;
  const before = textBefore(address);
  if (/\S/u.test(text.charAt(end + 1)) && COPY_COMMAND.test(before)) return true;
  return before.endsWith(':') && testAt(PORT, text, end) && LOGIN_NAME.test(before) && !ADDRESS_WORD.test(before);
}

/** Whether the address is the node of a program or the number of a phone. */
function isService(address: Address): boolean {
  const name = address.text.slice(address.start, address.end);
  const phone = PHONE.exec(name)?.[0];
  return NODE.test(name) || (phone !== undefined && (!phone.endsWith('@') || PHONE_BEFORE.test(textBefore(address))));
}

/** Whether the address is a principal of Kerberos, whose realm is in upper case. */
function isPrincipal(address: Address): boolean {
  const { text, start, at, end } = address;
  if (/[a-z]/u.test(text.slice(at, end))) return false;
  return PRINCIPAL_BEFORE.test(textBefore(address)) || KERBEROS.test(text.slice(Math.max(0, start - 128), end + 128));
}
