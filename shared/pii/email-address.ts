// Reads an e-mail address from its `@` outwards, and decides whether it can be a person's mailbox.
// Both directions are limited, so the time is linear for any input.
import topLevelDomains from 'tlds' with { type: 'json' };
import { characters, testAt } from './characters.ts';

const { CLASSES, DIGIT, FOREIGN, LETTER, UPPER } = characters;

const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
const MAX_USER_INFO_LENGTH = 128;
const ESCAPE_LETTERS = 'nrtbfu';

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
/** Text after a top-level domain in the same label: `joe@example.com555`, `….com-failed`. */
const TEXT_AFTER_DOMAIN = /^(?:com|net|org|edu|gov)(?=[-\d])/iu;
/** A string literal in Python, C and SQL whose quote is closed: `b'joe@example.com'`. */
const STRING_PREFIX = /(?:b|u|r|rb|br|L|N)'(?=[^'\s]{1,320}')/uy;
/** The login at a URL, `joe@example.com@https://example.org`, or at the host of its client. */
const LOGIN_AFTER_AT = /@(?:https?:\/\/|\d{1,3}(?:\.\d{1,3}){3}(?![\w.-]))/iuy;
const ENDS_USER_INFO = ' \t\r\n?#"\'<>,';
/** The host after the user info of a URL: `smtp://joe@example.com:secret@host`. */
const HOST_AFTER = /(?::[^\s/@]{0,128})?@/uy;

const HYPHEN = 45;
const FULL_STOP = 46;
const LOCAL = 1;
const SIGN = 2;
const DOMAIN = 4;
/** Whether a local part and a domain can contain each character of ASCII. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const isWord = ((CLASSES[code] as number) & (DIGIT | LETTER)) !== 0;
  if (isWord) return LOCAL | DOMAIN;
  const character = String.fromCharCode(code);
  return (
    (".%+'-".includes(character) ? LOCAL | SIGN : character === '_' ? LOCAL : 0) | (character === '-' ? DOMAIN : 0)
  );
});

/** International addresses can contain letters beyond ASCII. */
function isForeign(code: number): boolean {
  return (code >= 0xc0 && code < 0x2000 && ((CLASSES[code] as number) & FOREIGN) !== 0) || isIdeograph(code);
}

function isAlphanumeric(code: number): boolean {
  return code < 128 ? ((CLASSES[code] as number) & (DIGIT | LETTER)) !== 0 : isForeign(code);
}

function isLocal(code: number): boolean {
  return code < 128 ? ((KINDS[code] as number) & LOCAL) !== 0 : isForeign(code);
}

function isLocalSign(code: number): boolean {
  return code < 128 && ((KINDS[code] as number) & SIGN) !== 0;
}

function isDomain(code: number): boolean {
  return code < 128 ? ((KINDS[code] as number) & DOMAIN) !== 0 : isForeign(code);
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
  if (end < 0) return undefined;
  const start = findLocalPartStart(text, at, minStart);
  if (start < 0 || text.charAt(start - 1) === '@') return undefined;
  if (isUserInfo(text, start)) {
    if (!testAt(HOST_AFTER, text, end)) return undefined;
  } else if (text.charAt(end) === '@' && !testAt(LOGIN_AFTER_AT, text, end)) return undefined;
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
  // The letter of an escape, `\njoe@example.com`, is not a part of the address.
  if (text.charAt(start - 1) === '\\' && ESCAPE_LETTERS.includes(text.charAt(start))) start++;
  const isQuoted = text.charAt(start + 1) === "'" || text.charAt(start + 2) === "'";
  if (isQuoted && testAt(STRING_PREFIX, text, start)) start = STRING_PREFIX.lastIndex;
  while (start < at && isLocalSign(text.charCodeAt(start))) start++;
  const last = text.charAt(at - 1);
  return start >= at || last === '.' || last === "'" ? -1 : start;
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
  const hostEnd = findHostEnd(text, start);
  let end = hostEnd;
  for (let at = hostEnd - 1; at > start; at--) {
    if (text.charCodeAt(at) !== FULL_STOP) continue;
    const known = findTopLevelDomainEnd(text, at + 1, end);
    if (known > 0) return known < end || canFollowDomain(text.slice(known, hostEnd)) ? known : -1;
    end = at;
  }
  return -1;
}

/** The end of the labels, joined by full stops, that begin at `start`. */
function findHostEnd(text: string, start: number): number {
  const bound = Math.min(text.length, start + MAX_DOMAIN_LENGTH);
  let end = start;
  for (let labelStart = start; ; labelStart = end + 1) {
    let at = labelStart;
    while (at < bound && isDomain(text.charCodeAt(at))) at++;
    const isLabel = at > labelStart && at - labelStart <= MAX_LABEL_LENGTH && text.charCodeAt(labelStart) !== HYPHEN;
    if (!isLabel) return end;
    end = at;
    // A final hyphen belongs to the text after the address.
    while (text.charCodeAt(end - 1) === HYPHEN) end--;
    if (end < at || text.charCodeAt(at) !== FULL_STOP) return end;
  }
}

/** `.Then` begins a sentence; `.svc.local` is a part of an internal host. */
function canFollowDomain(rest: string): boolean {
  return rest === '' || /^\.[A-Z]/u.test(rest) || FILE_ENDINGS.test(rest);
}

/** The end of the top-level domain in text[start, end), or -1. */
function findTopLevelDomainEnd(text: string, start: number, end: number): number {
  const label = text.slice(start, end);
  if (TOP_LEVEL_DOMAINS.has(label) || TOP_LEVEL_DOMAINS.has(label.toLowerCase())) return end;
  // Ideographs can follow an address without a blank.
  let letters = start;
  while (letters < end && text.charCodeAt(letters) < 128) letters++;
  if (letters < end) {
    const isKnown =
      isIdeograph(text.charCodeAt(letters)) && TOP_LEVEL_DOMAINS.has(text.slice(start, letters).toLowerCase());
    return isKnown ? letters : -1;
  }
  if (/^xn--/iu.test(label)) return end;
  if (text.charAt(end) === '.' && isDomain(text.charCodeAt(end + 1))) return -1;
  const domain = TEXT_AFTER_DOMAIN.exec(label)?.[0];
  return domain === undefined ? -1 : start + domain.length;
}

/** Whether the user info of a URL contains the address at `start`: `scheme://user:pw@host`. */
function isUserInfo(text: string, start: number): boolean {
  const bound = Math.max(0, start - MAX_USER_INFO_LENGTH);
  for (let at = start - 1; at >= bound; at--) {
    const character = text.charAt(at);
    if (character === '/') return text.startsWith('://', at - 2);
    if (ENDS_USER_INFO.includes(character)) return false;
  }
  return false;
}

// The form of an address also names messages, calls and events, logins and programs on a host,
// phones, and principals of Kerberos.

/** An address at text[start, end), with its `@` at `at`. */
interface Address {
  readonly text: string;
  readonly start: number;
  readonly at: number;
  readonly end: number;
}

/** The maximum number of characters before an address that are read. */
const MAX_DISTANCE = 100;

const QUOTES = '["\'\\\\]{0,6}';
/** A separator of a key: `=`, `: `, `=>` and `==`. */
const DELIMITER = `${QUOTES}\\s{0,3}=?[=:]>?\\s{0,3}[[(]?${QUOTES}`;
const ID_KEY =
  '(?:message|msg|content|call|thread)[-_ ]?id|smtp-id|in[-_]?reply[-_]?to|i[-_]?cal[-_]?uid|(?<![a-z])references';
/** An id after its key: `message-id=`, `"callId":"`, `MessageId(`, ` S=2048 id=` of Exim, `cid:`. */
const KEYED_ID =
  `(?:(?:${ID_KEY})(?:${DELIMITER}|["'\\\\]{1,4},\\s{0,2}["'\\\\]{1,4}|[(>]${QUOTES})|(?:message|msg|call)[-_ ]?id\\s|` +
  'call-id\\s["\']|\\sS=\\d{1,9} id=|(?<![\\w-])[cm]id:)[\\w.+!#$%*/=^{|}~-]{0,64}';
/** The same before an id in angle brackets, and a list of such ids. `id:` alone is enough. */
const BRACKETED_ID =
  `(?:(?:${ID_KEY})(?:${DELIMITER}|[(>]["']?|(?<!references)\\s["']?|:\\\\r\\\\n\\s)|(?:^|[^\\w\\s-]\\s?)m?id${DELIMITER}|queued as )` +
  '(?:<[^<>\\s]{0,128}>(?:[\\s,"\']|\\\\[rnt"]){0,8}){0,20}<[^<>\\s]{0,64}';
/** The fields of events in a calendar. In lower case, `uid` is also the name of a user. */
const AFTER_CALENDAR_KEY = /(?<=(?:^|\s|\\n)(?:UID|RELATED-TO|X-WR-RELCALID):)/uy;
/**
 * Names as mail software makes them for messages: the time or digits in groups, the id in the queue
 * of Exim, a UUID, long hexadecimal digits, and those of JavaMail.
 */
const MACHINE_NAME = new RegExp(
  '^(?:20\\d{6}T?\\d{6}[.\\dA-Z-]|\\d{8,}(?:\\.\\d+){2,}$|\\d[^@]*\\.JavaMail\\.|' +
    'E?[1-9](?=\\w*[A-Z])\\w{5,6}-(?:\\w{6}-\\w{2}|\\w{11}-\\w{4})$|[\\da-f]{8}(?:-[\\da-f]{4}){1,3}-[\\da-f]{12}$|' +
    '(?=\\D*\\d)(?:[\\da-f]{32,}$|(?=\\d*[a-f])[\\da-f]{12,}(?:$|=)|[\\da-f]{10,}\\.\\d+$))',
  'iu',
);
const MIN_MACHINE_NAME_LENGTH = 10;

/** Domains with hosts of ids of messages, repositories of git, and the authors of SSH. */
const MACHINE_DOMAINS = new Set(
  (
    'outlook.com amazonses.com 3gppnetwork.org gmail.com github.com gitlab.com bitbucket.org azure.com codeberg.org ' +
    'openssh.com libssh.org tinyssh.org liu.se ssh.com'
  ).split(' '),
);
/** The hosts of these domains, with the local parts that are no mailbox: `zlib@openssh.com`. */
const MACHINE_ADDRESS =
  /@(?:.*\.prod\.outlook\.com|(?:.*\.)?amazonses\.com|.*\.3gppnetwork\.org)$|^git@|@mail\.gmail\.com$|^[a-z\d-]*(?:\d|cbc|ctr|zlib|-)[a-z\d-]*@(?:openssh\.com|libssh\.org|tinyssh\.org|lysator\.liu\.se|ssh\.com)$/u;
/** Programs whose nodes are named `program@host`, and the user of every client of git. */
const MACHINE_USERS = new Set(['celery', 'rabbit', 'ejabberd', 'emqx', 'vernemq', 'couchdb', 'riak', 'git']);
/** What follows `git` at the host of a repository. */
const REPOSITORY = /\/|:[a-z\d]/iuy;
/** The host of phones, and what precedes the number of a phone: a scheme, a plus or its channel. */
const PHONE_HOST = /^(?:sips?|sbc|pbx|voip|ims|trunk|asterisk)\d*[.-]/iu;
const BEFORE_PHONE = /(?<=\bsips?:|(?<!\w)\+|(?:\bsofia\/[\w.-]{1,64}|SIP|IAX2|Local)\/)/iuy;

const NEXT_ARGUMENT = '(?:\\s+|\\\\?["\'](?:,\\s*|\\sa\\d+=)\\\\?["\'])';
/** Commands whose argument is a login: `ssh -p 22 joe@host.example.com`, `["ssh","joe@…`. */
const LOGIN_COMMAND =
  '(?:^|[\\s"\'`$;|&/])(?:(?:auto)?ssh|sftp|mosh|ssh-copy-id)' +
  `(?:${NEXT_ARGUMENT}-[\\w-]+(?:(?:${NEXT_ARGUMENT}|=)[^\\s"',-][^\\s"',]*)?){0,8}${NEXT_ARGUMENT}`;
/** A connection that is reported. */
const CONNECTION = '\\bconnect(?:ing|ed|ion)? to |jdbc:\\S{1,100}/';
/**
 * What precedes an id or a login. A sticky lookbehind reads from the address backwards, and only as
 * far as it matches.
 */
const AFTER_ID_OR_LOGIN = new RegExp(`(?<=${KEYED_ID}|${BRACKETED_ID}|${LOGIN_COMMAND}|${CONNECTION})`, 'iuy');
/** Commands whose arguments are paths on hosts: `rsync -a data joe@host.example.com:data`. */
const COPY_COMMAND = /(?:^|[\s"'`$;|&/])(?:(?:scp|rsync|git)\s[^\n]*|rsync:\s)$/u;
/** The prompt of a shell or of `ssh`, and the error of `ssh`, after a login. */
const PROMPT = /'s password|: Permission denied|\s[~/][\w./-]{0,64}\][$#]/uy;
/** A path after the colon, which does not begin with a port: `joe@host.example.com:data/x`. */
const PATH_AFTER = /:(?:[/~]|(?!\d+\/)[\w.-]+(?:\/|\.git(?![\w.-])))/uy;
/** A login of a URL without a scheme: `app:s3cret@db.example.com:5432`. */
const PORT = /:\d{2,5}(?![\w.-])/uy;
const LOGIN_NAME = /[\w-]*[a-z][\w-]*:$/iu;
const ADDRESS_WORD = /(?:mail|mailto|to|from|cc|bcc|sender|recipient|contact|acct|address|sip):$/iu;

/** A principal of Kerberos before its last component, `HTTP/`, or after its key. */
const AFTER_PRINCIPAL =
  /(?<=(?:^|[\s=:"'`(<[,])[\w.$-]{1,64}\/|principal["'\\]{0,4}\s?[=: ]\s?["'\\]{0,4}|\bkinit(?:\s-\S{1,64}){0,4}\s|\b(?:credentials|tickets?) for\s["'\\]{0,4}|\/[\w.-]{1,64}@[A-Z\d.-]{1,64} for )/iuy;

/** Whether the address can be a person's mailbox. */
function isMailbox(address: Address): boolean {
  const { text, start, at, end } = address;
  const name = text.slice(start, at);
  const host = text.slice(at + 1, end);
  const domain = host.slice(host.lastIndexOf('.', host.lastIndexOf('.') - 1) + 1);
  if (MACHINE_DOMAINS.has(domain) && MACHINE_ADDRESS.test(`${name}@${host}`)) return false;
  if (name.length > MIN_MACHINE_NAME_LENGTH && MACHINE_NAME.test(name)) return false;
  if (MACHINE_USERS.has(name) && (name !== 'git' || testAt(REPOSITORY, text, end))) return false;
  if (CLASSES[name.charCodeAt(0)] === DIGIT && isPhone(address, name, host)) return false;
  if (testAt(AFTER_ID_OR_LOGIN, text, start)) return false;
  if (text.charAt(start - 1) === ':' && testAt(AFTER_CALENDAR_KEY, text, start)) return false;
  return !isLogin(address) && !(isUpperCase(host) && testAt(AFTER_PRINCIPAL, text, start));
}

function textBefore({ text, start }: Address): string {
  return text.slice(Math.max(0, start - MAX_DISTANCE), start);
}

/** Whether the host is the realm of a principal. */
function isUpperCase(host: string): boolean {
  return CLASSES[host.charCodeAt(host.length - 1)] === UPPER && host === host.toUpperCase();
}

function isPhone({ text, start }: Address, name: string, host: string): boolean {
  return /^\d+$/u.test(name) && (PHONE_HOST.test(host) || testAt(BEFORE_PHONE, text, start));
}

/** Whether the address is the login of a connection, by what follows it. */
function isLogin(address: Address): boolean {
  const { text, start, end } = address;
  switch (text.charAt(end)) {
    case '/':
      return text.startsWith('//', start - 2);
    case "'":
    case ' ':
      return testAt(PROMPT, text, end);
    case ':':
      return isBeforePath(address);
    default:
      return false;
  }
}

/** Whether the colon after the address begins the path or the port of a login. */
function isBeforePath(address: Address): boolean {
  const { text, end } = address;
  if (testAt(PROMPT, text, end) || testAt(PATH_AFTER, text, end)) return true;
  const before = textBefore(address);
  if (/\S/u.test(text.charAt(end + 1)) && COPY_COMMAND.test(before)) return true;
  return testAt(PORT, text, end) && LOGIN_NAME.test(before) && !ADDRESS_WORD.test(before);
}
