// Reads an e-mail address from its `@` outwards. Both directions are limited, so the time is linear
// for any input. They are in one file because they share the classes of characters, and because
// text that touches an address is recognized from both sides.
import { createRequire } from 'node:module';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { isMailbox } from './mailbox.ts';
import type { ScannedText } from './scanned-text.ts';
import { testAt } from './sticky-pattern.ts';
import { HASH_START, hashCharacter, hashWordAt, hashWords, WordSet } from './word-hash.ts';

const { codeAt, unitAt } = characterClasses;
const {
  APOSTROPHE,
  AT_SIGN,
  BACKSLASH,
  BEYOND_ASCII,
  BLANK,
  CASE_BIT,
  COLON,
  COMMA,
  DIGIT_0,
  DIGIT_9,
  DIVISION_SIGN,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER_THAN,
  HASH,
  HYPHEN,
  LESS_THAN,
  LOWER_V,
  LOWER_X,
  MULTIPLICATION_SIGN,
  PLUS,
  QUESTION_MARK,
  SLASH,
  UNDERSCORE_SIGN,
  UPPER_A,
  UPPER_Z,
} = codes;

const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
const MAX_USER_INFO_LENGTH = 128;
const MAX_PATH_LENGTH = 160;

/**
 * Top-level domains whose addresses are names of files or units: `user@1000.target` of systemd,
 * `main@4f2b.map`. No person has a mailbox there, because their owners send mail from other
 * domains.
 */
const FILE_DOMAINS = new Set(['map', 'target']);
/** The IANA root zone without these domains. */
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  (createRequire(import.meta.url)('tlds') as readonly string[]).filter((domain) => !FILE_DOMAINS.has(domain)),
);
/** The same domains, so that labels of hosts are looked up without building strings. */
const TOP_LEVEL_WORDS = new WordSet([...TOP_LEVEL_DOMAINS]);
/** Endings of files that are named by an address: `joe@example.com.eml`. */
const FILE_ENDINGS = new Set([
  'csv',
  'eml',
  'gz',
  'html',
  'ics',
  'jpeg',
  'jpg',
  'json',
  'log',
  'mbox',
  'ost',
  'pdf',
  'png',
  'pst',
  'tar',
  'txt',
  'vcf',
  'xml',
  'zip',
]);
/** A domain that is the ending of a file after another domain: `joe@example.com.zip`. */
const ARCHIVE = 'zip';
/** The number or the date of an old log: `joe@example.com.1`, `joe@example.com-20261126.log`. */
const OLD_LOG_NUMBER = /^(?:\d{1,2}|20\d{6})$/u;
const OLD_LOG_DATE = /-20\d\d-?[01]\d-?[0-3]\d\./uy;
/** Top-level domains that digits can follow without a blank: `joe@example.com555`. */
const RUN_ON_DOMAINS = new Set(['com', 'net', 'org', 'edu', 'gov', 'io', 'de', 'uk']);
/** Top-level domains that any text can follow after a hyphen: `joe@example.com-failed`. */
const HYPHENATED_DOMAINS = new Set(['com', 'net', 'org', 'edu', 'gov']);
/** Prefixes of string literals in Python, C and SQL. */
const STRING_PREFIX = /(?:b|u|r|rb|br|L|N)'/uy;
/** A version, not a host: `pkg@1.2.3.zip`, `pkg@v1.2.dev`. */
const VERSION = /v?\d+\.\d+\./iuy;
/**
 * The URL of a login after the address, `joe@example.com@https://example.org`, or the host of its
 * client, `(joe@example.com@203.0.113.7)`.
 */
const LOGIN_AFTER_AT = /^@(?:https?:\/\/|\d{1,3}(?:\.\d{1,3}){3}(?![\w.-]))/iu;
const MAX_LOGIN_LENGTH = 18;
/**
 * A path whose backslashes separate names: `C:\Users\joe@example.com`. In `Plan B:\nfoo\njoe@…`,
 * the backslash after the colon begins an escape.
 */
const WINDOWS_PATH = /(?:^|[^A-Za-z\d])[A-Za-z]:\\(?!n)[^":<>|?*\n]*\\$/u;
/** The scale of an image before its ending: `logo@2x.png`. */
const IMAGE_SCALE = /^\d+x$/iu;
/**
 * Labels that systems join to an address: the method of a login (`oidc-joe@…` in Vault), the
 * element of a booking (`5.APE-JOE@…` in Amadeus) and a delivery (`to_remote_joe@…` in qmail).
 */
const JOINED_LABEL =
  /(?:(?:\d{1,3}\.)?AP[EM]-|to_(?:remote|local)_|(?:oidc|ldap|saml|okta|jwt|userpass|azuread)-)(?=[^-@])/uy;
/** The words before the hyphen. */
const JOINED_WORDS = hashWords('ape apm oidc ldap saml okta jwt userpass azuread');
/**
 * The message of MySQL before the values of a key, which hyphens join: `'17-3-joe@example.com'`.
 */
const DUPLICATE_ENTRY = "Duplicate entry '";
const NUMBERS_BEFORE = /(?:\d{1,20}-)+(?=[^@])/uy;
const NUMBERS_AFTER = /(?:-\d{1,20})+' for key/uy;
/** The tag of an EDIFACT segment, `COM+joe@…:EM`, and the qualifier after an address. */
const SEGMENT_TAG = /^(?:.*')?COM\+/u;
const EMAIL_QUALIFIER = ':EM';
/** The head of a segment of FinTS and EDIFACT before an address: `HKTEL:4:1+joe@…`, `NAD+`. */
const SEGMENT_HEAD = /(?:^|['\n@])[A-Z]{3,6}(?::\d{1,4}){0,3}(?::|\+(?:[^'\n]*[:+])?)?$/u;
/** Elements of a segment before an address: numbers, codes in upper case and empty elements. */
const SEGMENT_ELEMENTS = /(?:(?:\d{1,6}|[A-Z]{2,3})?\+)*\+?/uy;
const MAX_SEGMENT_LENGTH = 160;
/** The end of a segment and the tag of the next one: `+X'NAD+`. */
const NEXT_SEGMENT = /^.*'[A-Z]{3}\+/u;

const LOCAL = 1;
const DOMAIN = 2;
const KIND = new Uint8Array(BEYOND_ASCII);
for (let code = 0; code < BEYOND_ASCII; code++)
  if (/[\w.%+'-]/u.test(String.fromCharCode(code)))
    KIND[code] = /[a-z\d-]/iu.test(String.fromCharCode(code)) ? LOCAL | DOMAIN : LOCAL;

function isAlphanumeric(code: number): boolean {
  return code < BEYOND_ASCII ? (KIND[code] as number) === (LOCAL | DOMAIN) && code !== HYPHEN : isForeignLetter(code);
}

/**
 * Whether international addresses can contain the character: letters beyond ASCII, except
 * ideographs.
 */
function isForeignLetter(code: number): boolean {
  return (code >= 0xc0 && code < 0x2000 && code !== MULTIPLICATION_SIGN && code !== DIVISION_SIGN) || isIdeograph(code);
}

function isIdeograph(code: number): boolean {
  return (code >= 0x3040 && code < 0xa000) || (code >= 0xac00 && code < 0xd7b0);
}

/** The offsets of an address, half open. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The start of the local part before `at`, or -1. */
function findLocalPartStart(text: ScannedText, at: number, minStart: number): number {
  if (codeAt(text, at - 1) === DOUBLE_QUOTE) return findQuotedLocalPartStart(text, at, minStart);
  const bound = Math.max(minStart, at - MAX_LOCAL_PART_LENGTH - 1);
  let start = at;
  let next = 0;
  /** Whether the local part can have two dots in a row. */
  let hasDots = false;
  while (start > bound) {
    const code = unitAt(text, start - 1);
    if (code < BEYOND_ASCII ? ((KIND[code] as number) & LOCAL) === 0 : !isForeignLetter(code)) break;
    if (code === DOT && next === DOT) hasDots = true;
    next = code;
    start--;
  }
  if (at - start > MAX_LOCAL_PART_LENGTH) return -1;
  if (codeAt(text, start - 1) === EQUALS) {
    start = findBracketedStart(text, start, bound);
    hasDots = true;
  }
  // Text in a script without blanks can touch the address: 邮箱foo@bar.com.
  let letters = start;
  while (isIdeograph(unitAt(text, letters))) letters++;
  // A local part that consists of ideographs belongs to the address: 用户@例子.广告.
  if (letters < at) start = letters;
  // An ellipsis before the address is not a part of the address. Two dots within the local part
  // make it invalid.
  for (let i = hasDots ? at - 1 : start; i > start; i--) {
    if (unitAt(text, i) !== DOT || unitAt(text, i - 1) !== DOT) continue;
    if (i - 2 < start || unitAt(text, i - 2) !== DOT) return i - 1 > start ? -1 : i + 1;
    start = i + 1;
    break;
  }
  if (codeAt(text, start - 1) === BACKSLASH && isEscapeLetter(text, start)) start++;
  // In b'joe@example.com', the quote opens a string, because a second quote follows the address. In
  // o'brien@example.com, the quote is a part of the address.
  const hasQuote = codeAt(text, start + 1) === APOSTROPHE || codeAt(text, start + 2) === APOSTROPHE;
  if (hasQuote && testAt(STRING_PREFIX, text, start) && isQuoteClosed(text, at)) start = STRING_PREFIX.lastIndex;
  while (start < at && !isAlphanumeric(unitAt(text, start)) && unitAt(text, start) !== UNDERSCORE_SIGN) start++;
  const last = codeAt(text, at - 1);
  if (start >= at || last === DOT || last === APOSTROPHE) return -1;
  return start;
}

/**
 * Whether the letter at `at`, after a backslash, belongs to an escape: `\njoe@example.com`. Two
 * backslashes before `b` or `f` begin the name of a host: `\\fred@example.com`.
 */
function isEscapeLetter(text: ScannedText, at: number): boolean {
  if (codeAt(text, at - 2) === BACKSLASH && 'bf'.includes(text.charAt(at))) return false;
  return 'nrtbfu'.includes(text.charAt(at)) && !WINDOWS_PATH.test(text.slice(Math.max(0, at - MAX_PATH_LENGTH), at));
}

/**
 * The start of a local part with an equals sign, which only angle brackets tell from a key:
 * `<bounces+joe=example.org@example.com>`. Otherwise `start`.
 */
function findBracketedStart(text: ScannedText, start: number, bound: number): number {
  let at = start;
  while (at > bound) {
    const code = unitAt(text, at - 1);
    if (code === LESS_THAN) return at;
    if (code !== EQUALS && (code >= BEYOND_ASCII || ((KIND[code] as number) & LOCAL) === 0)) break;
    at--;
  }
  return start;
}

function isQuoteClosed(text: ScannedText, at: number): boolean {
  const bound = Math.min(text.length, at + MAX_DOMAIN_LENGTH + 1);
  for (let i = at + 1; i < bound; i++) {
    const code = unitAt(text, i);
    if (code === APOSTROPHE) return true;
    if (code !== DOT && !isDomainCode(code)) return false;
  }
  return false;
}

/** The start of a quoted local part, `"joe smith"@example.com`, or -1. */
function findQuotedLocalPartStart(text: ScannedText, at: number, minStart: number): number {
  const bound = Math.max(minStart, at - MAX_LOCAL_PART_LENGTH - 2);
  for (let i = at - 2; i >= bound; i--) {
    if (unitAt(text, i) !== DOUBLE_QUOTE) continue;
    const before = codeAt(text, i - 1);
    if (before === BACKSLASH) continue;
    return i < at - 2 && !isAlphanumeric(before) ? i : -1;
  }
  return -1;
}

function isDomainCode(code: number): boolean {
  return code < BEYOND_ASCII ? ((KIND[code] as number) & DOMAIN) !== 0 : isForeignLetter(code);
}

/** The end of the domain that begins at `start`, or -1. */
function findDomainEnd(text: ScannedText, start: number): number {
  const bound = Math.min(text.length, start + MAX_DOMAIN_LENGTH);
  let at = start;
  let labels = 0;
  let end = -1;
  let endLabels = 0;
  while (at < bound) {
    const labelStart = at;
    let bits = 0;
    let hash = HASH_START;
    let hasLettersOnly = true;
    for (; at < bound; at++) {
      const code = unitAt(text, at);
      if (!isDomainCode(code)) break;
      bits |= code;
      // The digits and the hyphen, which precede the letters, have the bit already.
      hash = hashCharacter(hash, code | CASE_BIT);
      if (code < UPPER_A) hasLettersOnly = false;
    }
    let labelEnd = at;
    // A final hyphen belongs to the text after the address.
    while (unitAt(text, labelEnd - 1) === HYPHEN) labelEnd--;
    if (labelEnd === labelStart || labelEnd - labelStart > MAX_LABEL_LENGTH || unitAt(text, labelStart) === HYPHEN)
      break;
    labels++;
    if (labels > 1) {
      const isWord = hasLettersOnly && bits < BEYOND_ASCII;
      const knownWordEnd = TOP_LEVEL_WORDS.has(hash) ? labelEnd : -1;
      const known = isWord ? knownWordEnd : findTopLevelDomainEnd(text, labelStart, labelEnd);
      const isArchive = endLabels === labels - 1 && endLabels > 1 && text.startsWith(ARCHIVE, labelStart);
      if (known > 0 && !isArchive) {
        end = known;
        endLabels = labels;
        if (known < labelEnd) break;
      }
    } else if (isImageScale(text, labelStart, labelEnd)) return -1;
    if (labelEnd < at || at >= bound || unitAt(text, at) !== DOT) break;
    at++;
  }
  if (end < 0) return -1;
  // More labels can follow the last top-level domain. `com.Then` begins a sentence; `com.svc.local`
  // is an internal host name.
  if (endLabels < labels && !areFileEndings(text.slice(end + 1, at))) {
    const next = unitAt(text, end + 1);
    if (!(next >= UPPER_A && next <= UPPER_Z)) return -1;
  }
  return end;
}

function isImageScale(text: ScannedText, start: number, end: number): boolean {
  return (unitAt(text, end - 1) | CASE_BIT) === LOWER_X && IMAGE_SCALE.test(text.slice(start, end));
}

/** Whether all parts are endings of files, or numbers of old logs: `log`, `tar.gz`, `1.gz`. */
function areFileEndings(parts: string): boolean {
  return parts.split('.').every((part) => FILE_ENDINGS.has(part) || OLD_LOG_NUMBER.test(part));
}

/** The end of the top-level domain in text[start, end), which has not only ASCII letters, or -1. */
function findTopLevelDomainEnd(text: ScannedText, start: number, end: number): number {
  let letters = start;
  while (letters < end && isAlphanumeric(unitAt(text, letters)) && !isDigit(unitAt(text, letters))) letters++;
  const label = text.slice(start, end).toLowerCase();
  if (letters === end) {
    if (TOP_LEVEL_DOMAINS.has(label)) return end;
    // Ideographs can follow an address without a blank.
    const ascii = findAsciiEnd(text, start, end);
    return isIdeograph(unitAt(text, ascii)) && TOP_LEVEL_DOMAINS.has(label.slice(0, ascii - start)) ? ascii : -1;
  }
  if (label.startsWith('xn--')) return findAsciiEnd(text, start, end);
  if (unitAt(text, letters) === HYPHEN) return isSentenceAfter(text, start, letters, end) ? letters : -1;
  return isDigit(unitAt(text, letters)) && RUN_ON_DOMAINS.has(text.slice(start, letters).toLowerCase()) ? letters : -1;
}

/**
 * Whether a top-level domain, text[start, hyphen), and a hyphen precede other text: a capitalized
 * word, as in `joe@example.de-The user name`, the date of an old log, the numbers of a key of
 * MySQL, or any text after a domain that hosts are rarely named after.
 */
function isSentenceAfter(text: ScannedText, start: number, hyphen: number, end: number): boolean {
  const domain = text.slice(start, hyphen).toLowerCase();
  if (!TOP_LEVEL_DOMAINS.has(domain)) return false;
  if (testAt(OLD_LOG_DATE, text, hyphen)) return true;
  if (testAt(NUMBERS_AFTER, text, hyphen)) return true;
  if (codeAt(text, end) === DOT && isDomainCode(codeAt(text, end + 1))) return false;
  const first = unitAt(text, hyphen + 1);
  return HYPHENATED_DOMAINS.has(domain) || (first >= UPPER_A && first <= UPPER_Z);
}

function findAsciiEnd(text: ScannedText, start: number, end: number): number {
  let at = start;
  while (at < end && unitAt(text, at) < BEYOND_ASCII) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

/** Whether the user info of a URL contains the address at `start`: `scheme://user:pw@host`. */
function isUserInfo(text: ScannedText, start: number): boolean {
  const bound = Math.max(0, start - MAX_USER_INFO_LENGTH);
  for (let i = start - 1; i >= bound; i--) {
    const code = unitAt(text, i);
    if (code === SLASH) return codeAt(text, i - 1) === SLASH && codeAt(text, i - 2) === COLON;
    if (
      code <= BLANK ||
      code === QUESTION_MARK ||
      code === HASH ||
      code === DOUBLE_QUOTE ||
      code === APOSTROPHE ||
      code === LESS_THAN ||
      code === GREATER_THAN ||
      code === COMMA
    )
      return false;
  }
  return false;
}

/**
 * Finds the e-mail address around the `@` at `at`. The address does not begin before `minStart`.
 */
export function findEmailAddress(text: ScannedText, at: number, minStart: number): Span | undefined {
  if (!isAlphanumeric(codeAt(text, at + 1))) return undefined;
  let start = findLocalPartStart(text, at, minStart);
  if (start < 0) return undefined;
  if (codeAt(text, start - 1) === AT_SIGN) return undefined;
  const end = findDomainEnd(text, at + 1);
  if (end < 0) return undefined;
  const nameStart = start;
  const name = text.slice(start, at);
  if (codeAt(text, end) === COLON && text.startsWith(EMAIL_QUALIFIER, end))
    start += SEGMENT_TAG.exec(name)?.[0].length ?? 0;
  else if (name.includes('+')) start = skipSegmentElements(text, start, at);
  if (hasJoinedLabel(text, nameStart, name) && testAt(JOINED_LABEL, text, start)) start = JOINED_LABEL.lastIndex;
  else if (isDigit(codeAt(text, start))) start = skipNumbersOfKey(text, start);
  const first = unitAt(text, at + 1);
  if ((isDigit(first) || (first | CASE_BIT) === LOWER_V) && testAt(VERSION, text, at + 1)) return undefined;
  if (isUserInfo(text, start)) {
    if (!isFollowedByHost(text, end)) return undefined;
  } else if (codeAt(text, end) === AT_SIGN && !LOGIN_AFTER_AT.test(text.slice(end, end + MAX_LOGIN_LENGTH)))
    return undefined;
  if (isAfterQuoteInLocalPart(text, start, end)) return undefined;
  return isMailbox(text, start, at, end) ? { start, end } : undefined;
}

/**
 * Whether the word before the first hyphen of the name at `start` can be such a label. Rejects most
 * names.
 */
function hasJoinedLabel(text: ScannedText, start: number, name: string): boolean {
  const hyphen = name.indexOf('-');
  if (hyphen < 0) return name.startsWith('to_');
  const wordStart = start + name.lastIndexOf('.', hyphen) + 1;
  return JOINED_WORDS.has(hashWordAt(text, wordStart, start + hyphen)) || name.startsWith('to_');
}

/**
 * The start of the address at `start`, after the numbers of a key of MySQL that are joined to it.
 */
function skipNumbersOfKey(text: string, start: number): number {
  if (!text.startsWith(DUPLICATE_ENTRY, start - DUPLICATE_ENTRY.length)) return start;
  return testAt(NUMBERS_BEFORE, text, start) ? NUMBERS_BEFORE.lastIndex : start;
}

/** The start of the address before `at`, after the elements of a segment that are joined to it. */
function skipSegmentElements(text: ScannedText, start: number, at: number): number {
  // Rejects most addresses: the head of a segment ends in one of these characters.
  const left = codeAt(text, start - 1);
  const canFollowHead = left === COLON || left === PLUS || isDigit(left) || (left >= UPPER_A && left <= UPPER_Z);
  if (!canFollowHead && !text.slice(start, at).includes("'")) return start;
  const tag = NEXT_SEGMENT.exec(text.slice(start, at))?.[0].length ?? 0;
  if (tag === 0 && !SEGMENT_HEAD.test(text.slice(Math.max(0, start - MAX_SEGMENT_LENGTH), start))) return start;
  SEGMENT_ELEMENTS.lastIndex = start + tag;
  SEGMENT_ELEMENTS.test(text);
  return SEGMENT_ELEMENTS.lastIndex;
}

/** Whether a quote within the local part ends before the address: `just"not"right@example.com`. */
function isAfterQuoteInLocalPart(text: ScannedText, start: number, end: number): boolean {
  return (
    codeAt(text, start - 1) === DOUBLE_QUOTE &&
    isAlphanumeric(codeAt(text, start - 2)) &&
    codeAt(text, end) !== DOUBLE_QUOTE
  );
}

/**
 * Whether a host follows, so that the address is a user name: `smtp://joe@example.com:secret@host`.
 */
function isFollowedByHost(text: ScannedText, end: number): boolean {
  const bound = Math.min(text.length, end + MAX_USER_INFO_LENGTH);
  if (codeAt(text, end) !== COLON && codeAt(text, end) !== AT_SIGN) return false;
  for (let i = end; i < bound; i++) {
    const code = unitAt(text, i);
    if (code === AT_SIGN) return true;
    if (code <= BLANK || code === SLASH) return false;
  }
  return false;
}
