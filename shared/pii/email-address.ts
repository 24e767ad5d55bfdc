// Reads an e-mail address from its `@` outwards, and decides whether it can be a person's mailbox.
// Both directions are limited, so the time is linear for any input.
import topLevelDomains from 'tlds' with { type: 'json' };
import { CLASSES, DIGIT, FOREIGN, LETTER, LOWER, testAt, UNDERSCORE } from './characters.ts';

const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
const MAX_USER_INFO_LENGTH = 128;
const MAX_PATH_LENGTH = 160;

/**
 * The IANA root zone without `map` and `target`, whose addresses are names of files or units:
 * `main@4f2b.map`, `user@1000.target` of systemd. No person has a mailbox there.
 */
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  (topLevelDomains as readonly string[]).filter((name) => name !== 'map' && name !== 'target'),
);
/**
 * Endings of files that are named by an address: `joe@example.com.eml`, `joe@example.com.tar.gz`.
 */
const FILE_ENDINGS =
  /^(?:\.(?:csv|eml|gz|html|ics|jpe?g|json|log|mbox|pdf|png|[op]st|tar|txt|vcf|xml|zip|\d{1,2}|20\d{6}))+$/u;
/**
 * Text after a top-level domain in the same label: `…example.de-The user`, `….com555`,
 * `….com-failed`.
 */
const TEXT_AFTER_DOMAIN = /^([a-z]{2,24})[-\d]/iu;
const CAPITALIZED_AFTER = /^[a-z]+-[A-Z]/u;
const COMMON_DOMAIN = /^(?:com|net|org|edu|gov)$/iu;
/** A string literal in Python, C and SQL whose quote is closed: `b'joe@example.com'`. */
const STRING_PREFIX = /(?:b|u|r|rb|br|L|N)'(?=[^'\s]{1,320}')/uy;
/** The elements of a message of EDIFACT before an address: `1000+75427435'COM+`. */
const SEGMENT = /[^@]*'[A-Z]{3}\+/uy;
/** A version, not a host: `pkg@1.2.3.zip`, `pkg@v1.2.dev`. The scale of an image: `logo@2x.png`. */
const VERSION_OR_SCALE = /v?\d+\.\d+\.|\d+x\./iuy;
/** The login at a URL, `joe@example.com@https://example.org`, or at the host of its client. */
const LOGIN_AFTER_AT = /@(?:https?:\/\/|\d{1,3}(?:\.\d{1,3}){3}(?![\w.-]))/iuy;
/**
 * A path whose backslashes separate names: `C:\Users\joe@example.com`. In `Plan B:\nfoo\njoe@…`,
 * the backslash after the colon begins an escape.
 */
const WINDOWS_PATH = /(?:^|[^A-Za-z\d])[A-Za-z]:\\(?!n)[^":<>|?*\n]*\\$/u;
/** The host after the user info of a URL: `smtp://joe@example.com:secret@host`. */
const HOST_AFTER = /(?::[^\s/@]{0,128})?@/uy;
const LOCAL_SIGNS = ".%+'-";

/** International addresses can contain letters beyond ASCII. */
function isAlphanumeric(code: number): boolean {
  if (code < 128) return ((CLASSES[code] as number) & (DIGIT | LETTER)) !== 0;
  return (code >= 0xc0 && code < 0x2000 && ((CLASSES[code] as number) & FOREIGN) !== 0) || isIdeograph(code);
}

/** Whether the character can be a part of a local part. */
function isLocal(code: number): boolean {
  return isAlphanumeric(code) || ((CLASSES[code] as number) & UNDERSCORE) !== 0 || isLocalSign(code);
}

function isLocalSign(code: number): boolean {
  return code < 128 && LOCAL_SIGNS.includes(String.fromCharCode(code));
}

function isIdeograph(code: number): boolean {
  return (code >= 0x3040 && code < 0xa000) || (code >= 0xac00 && code < 0xd7b0);
}

/** The offsets of an address, half open. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the e-mail address around the `@` at `at`. The address does not begin before `minStart`.
 */
export function findEmailAddress(text: string, at: number, minStart: number): Span | undefined {
  if (!isAlphanumeric(text.charCodeAt(at + 1))) return undefined;
  const end = findDomainEnd(text, at + 1);
  if (end < 0 || testAt(VERSION_OR_SCALE, text, at + 1)) return undefined;
  const start = findLocalPartStart(text, at, minStart);
  if (start < 0 || text.charAt(start - 1) === '@') return undefined;
  if (isUserInfo(text, start)) {
    if (!testAt(HOST_AFTER, text, end)) return undefined;
  } else if (text.charAt(end) === '@' && !testAt(LOGIN_AFTER_AT, text, end)) return undefined;
  // A quote within the local part ends before the address: `just"not"right@example.com`.
  if (text.charAt(start - 1) === '"' && text.charAt(end) !== '"' && isAlphanumeric(text.charCodeAt(start - 2)))
    return undefined;
  return isMailbox({ text, start, at, end }) ? { start, end } : undefined;
}

/** The start of the local part before `at`, or -1. */
function findLocalPartStart(text: string, at: number, minStart: number): number {
  if (text.charAt(at - 1) === '"') return findQuotedStart(text, at, minStart);
  const bound = Math.max(minStart, at - MAX_LOCAL_PART_LENGTH - 1);
  let start = at;
  while (start > bound && isLocal(text.charCodeAt(start - 1))) start--;
  if (at - start > MAX_LOCAL_PART_LENGTH) return -1;
  if (text.charAt(start - 1) === '=') start = findBracketedStart(text, start, bound);
  // Text in a script without blanks can touch the address, `邮箱foo@bar.com`, unless the whole local
  // part is in it.
  let letters = start;
  while (isIdeograph(text.charCodeAt(letters))) letters++;
  if (letters < at) start = letters;
  // An ellipsis can precede the address. Two dots within the local part make it invalid.
  const dots = start + text.slice(start, at).lastIndexOf('..');
  if (dots >= start) {
    if (dots > start && text.charAt(dots - 1) !== '.') return -1;
    start = dots + 2;
  }
  if (text.charAt(start - 1) === '\\' && isEscapeLetter(text, start)) start++;
  if (testAt(STRING_PREFIX, text, start)) start = STRING_PREFIX.lastIndex;
  if (testAt(SEGMENT, text, start)) start = SEGMENT.lastIndex;
  while (start < at && isLocalSign(text.charCodeAt(start))) start++;
  const last = text.charAt(at - 1);
  return start >= at || last === '.' || last === "'" ? -1 : start;
}

/**
 * Whether the letter at `at`, after a backslash, belongs to an escape: `\njoe@example.com`. Two
 * backslashes before `b` or `f` begin the name of a host: `\\fred@example.com`.
 */
function isEscapeLetter(text: string, at: number): boolean {
  const letter = text.charAt(at);
  if (text.charAt(at - 2) === '\\' && 'bf'.includes(letter)) return false;
  return 'nrtbfu'.includes(letter) && !WINDOWS_PATH.test(text.slice(Math.max(0, at - MAX_PATH_LENGTH), at));
}

/**
 * The start of a local part with an equals sign, which only angle brackets tell from a key:
 * `<bounces+joe=example.org@example.com>`. Otherwise `start`.
 */
function findBracketedStart(text: string, start: number, bound: number): number {
  let at = start;
  while (at > bound + 1 && (text.charAt(at - 1) === '=' || isLocal(text.charCodeAt(at - 1)))) at--;
  return text.charAt(at - 1) === '<' ? at : start;
}

/** The start of a quoted local part, `"joe smith"@example.com`, or -1. */
function findQuotedStart(text: string, at: number, minStart: number): number {
  const bound = Math.max(minStart, at - MAX_LOCAL_PART_LENGTH - 2);
  for (let i = at - 2; i >= bound; i--) {
    if (text.charAt(i) !== '"' || text.charAt(i - 1) === '\\') continue;
    return i < at - 2 && !isAlphanumeric(i === 0 ? 0 : text.charCodeAt(i - 1)) ? i : -1;
  }
  return -1;
}

/** The end of the domain that begins at `start`, or -1. */
function findDomainEnd(text: string, start: number): number {
  const bound = Math.min(text.length, start + MAX_DOMAIN_LENGTH);
  let end = -1;
  let at = start;
  for (let labels = 1; at < bound; labels++) {
    const labelStart = at;
    while (at < bound && isDomain(text.charCodeAt(at))) at++;
    let labelEnd = at;
    // A final hyphen belongs to the text after the address.
    while (text.charAt(labelEnd - 1) === '-') labelEnd--;
    if (labelEnd <= labelStart || labelEnd - labelStart > MAX_LABEL_LENGTH || text.charAt(labelStart) === '-') break;
    const known = labels > 1 ? findTopLevelDomainEnd(text, labelStart, labelEnd) : -1;
    if (known > 0 && !(end === labelStart - 1 && labels > 3 && text.startsWith('zip', labelStart))) {
      end = known;
      if (known < labelEnd) return end;
    }
    if (labelEnd < at || text.charAt(at) !== '.') break;
    at++;
  }
  // `com.Then` begins a sentence; `com.svc.local` is an internal host name.
  const rest = end < 0 ? '' : text.slice(end, at).replace(/\.$/u, '');
  return rest === '' || /^\.[A-Z]/u.test(rest) || rest.startsWith('-') || FILE_ENDINGS.test(rest) ? end : -1;
}

function isDomain(code: number): boolean {
  return isAlphanumeric(code) || code === 45;
}

/** The end of the top-level domain in text[start, end), or -1. */
function findTopLevelDomainEnd(text: string, start: number, end: number): number {
  const label = text.slice(start, end);
  if (TOP_LEVEL_DOMAINS.has(label.toLowerCase())) return end;
  // Ideographs can follow an address without a blank.
  let letters = start;
  while (letters < end && text.charCodeAt(letters) < 128) letters++;
  if (letters < end) {
    const isKnown =
      isIdeograph(text.charCodeAt(letters)) && TOP_LEVEL_DOMAINS.has(text.slice(start, letters).toLowerCase());
    return isKnown ? letters : -1;
  }
  if (/^xn--/iu.test(label)) return end;
  const domain = TEXT_AFTER_DOMAIN.exec(label)?.[1];
  if (domain === undefined || !TOP_LEVEL_DOMAINS.has(domain.toLowerCase())) return -1;
  if (text.charAt(end) === '.' && isDomain(text.charCodeAt(end + 1))) return -1;
  return COMMON_DOMAIN.test(domain) || CAPITALIZED_AFTER.test(label) ? start + domain.length : -1;
}

/** Whether the user info of a URL contains the address at `start`: `scheme://user:pw@host`. */
function isUserInfo(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_USER_INFO_LENGTH - 2), start);
  const slash = before.lastIndexOf('/');
  return slash > 1 && before.startsWith('://', slash - 2) && !/[\s?#"'<>,]/u.test(before.slice(slash));
}

// The form of an address also names messages, calls and events, logins and programs on a host,
// phones, and principals of Kerberos.

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
function isMailbox(address: Address): boolean {
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
  const left = text.charAt(start - 1);
  if (testAt(KEYED_ID, text, start) || (left !== ' ' && testAt(BRACKETED_ID, text, start))) return true;
  switch (left) {
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
  const right = text.charAt(end);
  if (right !== '' && testAt(PROMPT, text, end)) return true;
  if (right === ':' && testAt(PATH_AFTER, text, end)) return true;
  if (right === '/' && text.startsWith('//', start - 2)) return true;
  if (SSH_NAME.test(text.slice(start, end))) return true;
  if (
    at - start === 3 &&
    text.startsWith('git@', start) &&
    (testAt(GIT_AFTER, text, end) || GIT_HOST.test(text.slice(at, end)))
  )
    return true;
  if (
    /[\s"'/]/u.test(text.charAt(start - 1)) &&
    (testAt(LOGIN_COMMAND, text, start) || testAt(CONNECTION, text, start))
  )
    return true;
  if (right !== ':') return false;
  const before = textBefore(address);
  if (/\S/u.test(text.charAt(end + 1)) && COPY_COMMAND.test(before)) return true;
  return before.endsWith(':') && testAt(PORT, text, end) && LOGIN_NAME.test(before) && !ADDRESS_WORD.test(before);
}

/** Whether the address is the node of a program or the number of a phone. */
function isService(address: Address): boolean {
  const name = address.text.slice(address.start, address.end);
  if (CLASSES[name.charCodeAt(0)] !== DIGIT) return NODE.test(name);
  const phone = PHONE.exec(name)?.[0];
  return phone !== undefined && (!phone.endsWith('@') || PHONE_BEFORE.test(textBefore(address)));
}

/** Whether the address is a principal of Kerberos, whose realm is in upper case. */
function isPrincipal(address: Address): boolean {
  const { text, start, at, end } = address;
  if (CLASSES[text.charCodeAt(end - 1)] === LOWER || /[a-z]/u.test(text.slice(at, end))) return false;
  return PRINCIPAL_BEFORE.test(textBefore(address)) || KERBEROS.test(text.slice(Math.max(0, start - 128), end + 128));
}
