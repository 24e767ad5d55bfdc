// Recognizes the ids of messages, calls and events, which have the form of an address.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { hexValue } from './hexadecimal.ts';
import { canFollowKey, isLetter, MAX_DELIMITER_LENGTH } from './key-ends.ts';
import type { ScannedText } from './scanned-text.ts';
import { testAt } from './sticky-pattern.ts';
import { hashWords } from './word-hash.ts';

const { codeAt, isListed, listCodes, unitAt } = characterClasses;
const {
  APOSTROPHE,
  BACKSLASH,
  BEYOND_ASCII,
  BLANK,
  CASE_BIT,
  COLON,
  COMMA,
  DIGIT_0,
  DIGIT_9,
  DOLLAR,
  EQUALS,
  GREATER_THAN,
  LESS_THAN,
  LOWER_A,
  LOWER_E,
  LOWER_G,
  LOWER_I,
  LOWER_K,
  LOWER_L,
  LOWER_O,
  LOWER_P,
  LOWER_R,
  LOWER_S,
  LOWER_T,
  SEMICOLON,
  UPPER_D,
} = codes;

/** The maximum number of characters next to an address that are read. */
const MAX_KEY_DISTANCE = 40;
const MAX_ID_DISTANCE = 320;
/** The same for the beginning of an id after `id=`, with a blank before it. */
const MAX_NAME_LENGTH = 70;

const ID_KEY = '(?:message|msg|content|call|thread)[-_ ]?id|smtp-id|in[-_]?reply[-_]?to|i[-_]?cal[-_]?uid';
const REFERENCES = '(?<![a-z])references';
const QUOTES = '["\'\\\\]*';
/** The end of a name and `"value"`, as in a list: `{"name":"Message-ID","value":"…`. */
const PAIR = '(?:["\'\\\\]{1,8},\\s{0,3}["\'\\\\]*value)?';
/** The comma between a name and its value in a list of pairs: `["Call-ID", "…`. */
const PAIR_COMMA = '["\'\\\\]{1,4},\\s{0,2}["\'\\\\]{1,4}';
/** A separator of a key: `=`, `: `, `=>` and `==`. */
export const DELIMITER = `${PAIR}${QUOTES}\\s{0,3}=?[=:]>?\\s{0,3}[[(]?${QUOTES}`;
/** An id in brackets directly after its key, or in an XML element: `MessageId(`, `<message-id>`. */
const KEY_OF_ID = `(?:${ID_KEY})(?:${DELIMITER}|${PAIR_COMMA}|[(>]${QUOTES})`;
/**
 * `message-id=`, `"callId":"`, `\"msg_id\": [\"`, `cid:` before the address, or before the part of
 * an id that no address contains: `msgid=CAF=`. A sticky lookbehind reads from the address
 * backwards, and only as far as it matches.
 */
const KEYED_ID = new RegExp(
  `(?<=(?:${KEY_OF_ID}|${REFERENCES}${DELIMITER}|(?:message|msg|call)[-_ ]?id\\s|i[-_]?cal[-_]?uid\\s|call-id\\s["']|(?<![\\w-])[cm]id:)` +
    '[\\w.+!#$%*/=^{|}~-]{0,64})',
  'iuy',
);
/**
 * The same before an id in angle brackets, and before a list of such ids. A key `id` that no other
 * word precedes is enough. Exchange writes the event and a number before it: `RECEIVE,4711,<`.
 */
const BRACKETED_ID = new RegExp(
  `(?<=(?:${KEY_OF_ID}|(?:${ID_KEY})(?:\\s["']?|:\\\\r\\\\n\\s)|${REFERENCES}${DELIMITER}|(?:^|[^\\w\\s-]\\s?)m?id${DELIMITER}|queued as |,[A-Z]{4,12},\\d{1,20},|;\\s{0,3}start=${QUOTES})` +
    '(?:<[^<>\\s]{0,128}>(?:[\\s,"\']|\\\\[rnt"]){0,8}){0,20}<[^<>\\s]{0,64})',
  'iuy',
);
/**
 * An id in a line of Exim. The line begins with the id of the queued message, after the time or the
 * name of the program: `1rXyZa-0007Kj-2b … id=`.
 */
const EXIM_ID =
  /(?:^|\n|\d\d:\d\d:\d\d(?:[.,]\d{1,6})?(?:\s[+-]\d{4})?\s|exim(?:\[\d{1,9}\])?:\s)[1-9]\w{5,6}-(?:\w{6}-\w{2}|\w{11}-\w{4})\s[^\n]*\sid=[^\s<>"]{0,64}$/u;
/** The response of Exchange to a message: `<…> [InternalId=…] Queued mail for delivery`. */
const QUEUED_ID = /> (?:\[InternalId=|Queued mail)/uy;
/**
 * The id of a message in the log of Cyrus, `Delivered: <…> to mailbox: `, and of SpamAssassin,
 * `processing message <…> for joe:596`.
 */
const LOGGED_ID =
  /(?<=\bDelivered: <[^<>\s]{0,64})[^<>\s]+> to mailbox: |(?<=\bprocessing message <[^<>\s]{0,64})[^<>\s]+> for [^\s:]{1,64}:\d/uy;
/** A tag of a SIP dialog, whose name is a Call-ID: `Replaces: …;to-tag=7`. */
const DIALOG_TAG = /;(?:to|from)-tag=/iuy;
/** The length of `.com` and `.org`. */
const TOP_LEVEL_LENGTH = 4;
/** Hosts that occur in ids of messages and calls, and in identities of mobile phones, only. */
const ID_HOST = /[@.](?:(?:prod\.outlook|amazonses)\.com|3gppnetwork\.org)$/iu;
/**
 * The host of the ids that Gmail makes, in which people have mailboxes as well. Such an id begins
 * with `CA` and goes on in both cases; an equals sign within it begins the address.
 */
const GMAIL_HOST = '@mail.gmail.com';
const GMAIL_HOST_G = GMAIL_HOST.indexOf('g');
const GMAIL_ID = /(?<![\w.%-])CA(?=[\w.+=-]*[a-z])(?=[\w.+=-]*[A-Z\d])[\w.+=-]{8,}$/u;
const MIN_MACHINE_NAME_LENGTH = 10;
/**
 * Names as mail software makes them for messages: by JavaMail, Pine (with the system, the version
 * and the time), mutt (the time) and Exim (the id in its queue), by Mozilla, a UUID or a part of
 * one, three groups of digits, and long hexadecimal digits alone, before a full stop and digits, or
 * before an equals sign. RT writes its version, the process, the time and the ticket, and certified
 * mail of Italy `opec` and its times. Mozilla's names have a letter, because eight digits can be a
 * birth date.
 */
const MACHINE_NAME = new RegExp(
  '^(?:(?:al)?pine\\.[a-z\\d]{3}\\.\\d\\.\\d+\\.[\\d.]*\\d{6}|20\\d{12}\\.\\w|\\d{14}\\.[\\dA-Z]{9,}$|20\\d{6}T\\d{6}|' +
    '\\d[^@]*\\.JavaMail\\.|E?[1-9](?=\\w*[A-Z])\\w{5,6}-(?:\\w{6}-\\w{2}|\\w{11}-\\w{4})$|(?=\\d*[a-f])(?=[a-f]*\\d)[\\da-f]{8}\\.[\\da-f]{5,8}$|[\\da-f]{8}(?:-[\\da-f]{4}){1,3}-[\\da-f]{12}$|\\d{8,}(?:\\.\\d+){2,}$|(?=\\D*\\d)[\\da-f]{10,}\\.\\d+$|opec\\d+\\.\\d{14}\\.|rt-\\d[\\w.]*(?:-\\d+){3}\\.\\d+(?:-\\d+){2}$|' +
    '(?=\\D*\\d)(?:[\\da-f]{32,}$|(?=\\d*[a-f])[\\da-f]{12,}$|[\\da-f]{12,}=))',
  'iu',
);
/**
 * A Call-ID after its short key in SIP, or in a message of Asterisk. These are no evidence for a
 * name without a long number.
 */
const CALL_ID = /(?<=(?:^|[\s:;,]|\\n)(?:i: |ci=)|\bSIP dialog '?)[^\s@]*\d{6}/uy;
/** The last group of an id of Outlook, `000001c2a3b4$8ab3c2e0$6401a8c0@…`. */
const OUTLOOK_ID = /(?<=[\da-f]{8,16}\$[\da-f]{8}\$)[\da-f]{8,16}@/iuy;
/** The characters before an address that can be the beginning of an id in angle brackets. */
const ID_CHARACTERS = listCodes('<=!#$&*/?^{|}~-');
/** The name of an event after `UID=` or `UID `. */
const EVENT_KEY = /(?:^|\s)UID[= ]$/u;
const EVENT_KEY_LENGTH = 5;
const EVENT_NAME = /^(?=\D*\d)[\w-]{16,}$/u;
/** The fields of events in a calendar. In lower case, `uid` is also the name of a user. */
const CALENDAR_UID = /(?:^|\s|\\n)(?:UID|RELATED-TO(?:;[\w=-]+)?|X-WR-RELCALID):$/u;

/** The text before `end`, at most `length` characters. */
export function textBefore(text: string, end: number, length: number): string {
  return text.slice(Math.max(0, end - length), end);
}

const MAX_GMAIL_ID_LENGTH = 96;

/** The last letters of keys of ids: `message-id`, `reply-to`, `references`, `value`. */
const ENDS_OF_IDS = 'eid gid tid lid did pid uid mid cid yto ces lue';
const KEY_ENDS = hashWords(ENDS_OF_IDS);
/** The same before a bracket: also `id`, `queued as`, `;start=`, `Delivered:` and `message`. */
const KEY_ENDS_BEFORE_BRACKET = hashWords(`${ENDS_OF_IDS} id das art red age`);
/** 1 for the characters of an id before the part that has the form of an address. */
const ID_PART = new Uint8Array(BEYOND_ASCII);
for (let code = 0; code < BEYOND_ASCII; code++)
  ID_PART[code] = /[\w.+!#$%*/=^{|}~-]/u.test(String.fromCharCode(code)) ? 1 : 0;
const MAX_ID_PART_LENGTH = 64;

/**
 * Whether the address at `start` can follow the key of an id, and the beginning of the id. A
 * bracket is neither a part of such a key nor of an id. Rejects most addresses before a pattern.
 */
function canFollowIdKey(text: ScannedText, start: number, left: number): boolean {
  if (left === LESS_THAN || left === COMMA) return false;
  const lowest = Math.max(0, start - MAX_ID_PART_LENGTH);
  let at = start;
  while (at > lowest && ID_PART[unitAt(text, at - 1)] === 1) {
    if (unitAt(text, at - 1) === EQUALS && canFollowKey(text, at, KEY_ENDS)) return true;
    at--;
  }
  return at === lowest || canFollowKey(text, at, KEY_ENDS);
}

/** Whether the host text[at, end) occurs in ids only. */
function isIdHost(text: ScannedText, at: number, end: number): boolean {
  // Rejects most hosts: `outlook.com`, `amazonses.com` and `3gppnetwork.org` end alike.
  const last = codeAt(text, end - TOP_LEVEL_LENGTH - 1) | CASE_BIT;
  return (last === LOWER_K || last === LOWER_S) && ID_HOST.test(text.slice(at, end));
}

/** Whether the host text[at, end) is that of Gmail's ids. The letter `g` rejects most hosts. */
function isGmailHost(text: ScannedText, at: number, end: number): boolean {
  if (end - at !== GMAIL_HOST.length || (unitAt(text, at + GMAIL_HOST_G) | CASE_BIT) !== LOWER_G) return false;
  return text.slice(at, end).toLowerCase() === GMAIL_HOST;
}

/** The number of hexadecimal digits with which most names of `MACHINE_NAME` begin. */
const HEXADECIMAL_BEGINNING = 8;

/**
 * Whether the name at `start` can begin like one that software makes: `alpine`, `E1`, `opec`,
 * `pine`, `rt-`, or with digits. Rejects most names of people.
 */
function canBeMachineName(text: ScannedText, start: number): boolean {
  const first = unitAt(text, start);
  if (first >= DIGIT_0 && first <= DIGIT_9) return true;
  const second = unitAt(text, start + 1);
  switch (first | CASE_BIT) {
    case LOWER_A:
      if ((second | CASE_BIT) === LOWER_L) return true;
      break;
    case LOWER_O:
      return (second | CASE_BIT) === LOWER_P;
    case LOWER_E:
      if (second >= DIGIT_0 && second <= DIGIT_9) return true;
      break;
    case LOWER_P:
      return (second | CASE_BIT) === LOWER_I;
    case LOWER_R:
      return (second | CASE_BIT) === LOWER_T;
  }
  for (let at = start; at < start + HEXADECIMAL_BEGINNING; at++) if (hexValue(unitAt(text, at)) < 0) return false;
  return true;
}

/** Whether a Call-ID can follow `left`, the character before `start`: `i: `, `ci=`, `dialog '`. */
function canFollowShortKey(text: ScannedText, start: number, left: number): boolean {
  const before = codeAt(text, start - 2) | CASE_BIT;
  if (left === BLANK)
    return before === LOWER_G || (before === COLON && (codeAt(text, start - 3) | CASE_BIT) === LOWER_I);
  if (left === EQUALS) return before === LOWER_I;
  return left === APOSTROPHE && before === BLANK;
}

/** The bracket or the blank before the address at `start` and the beginning of an id, or -1. */
function findIdBoundary(text: ScannedText, start: number): number {
  const lowest = Math.max(0, start - MAX_NAME_LENGTH);
  for (let at = start - 1; at >= lowest; at--) {
    const code = unitAt(text, at);
    if (code === LESS_THAN || code === BLANK || code === GREATER_THAN) return at;
  }
  return -1;
}

/**
 * Whether a key of an id, or another id in brackets, can be before the bracket at `bracket`. An
 * escape such as \n can be between the two.
 */
function canFollowKeyOrId(text: ScannedText, bracket: number): boolean {
  if (codeAt(text, bracket - 1) === COMMA && codeAt(text, bracket - 2) <= DIGIT_9) return true;
  let at = bracket - 1;
  while (at > 0 && bracket - at < MAX_DELIMITER_LENGTH && !isLetter(unitAt(text, at))) {
    if (unitAt(text, at) === GREATER_THAN) return true;
    at--;
  }
  return codeAt(text, at - 1) === BACKSLASH || canFollowKey(text, bracket, KEY_ENDS_BEFORE_BRACKET);
}

/** Whether the address at `start` is an id in brackets or the end of one. */
function isBracketedId(text: ScannedText, start: number): boolean {
  const boundary = findIdBoundary(text, start);
  const code = codeAt(text, boundary);
  if (code === BLANK)
    return text.startsWith('id=', boundary + 1) && EXIM_ID.test(textBefore(text, start, MAX_ID_DISTANCE));
  if (code !== LESS_THAN || !canFollowKeyOrId(text, boundary)) return false;
  return testAt(BRACKETED_ID, text, start) || testAt(LOGGED_ID, text, start);
}

/**
 * Whether text[start, end), an address with its `@` at `at`, is the id of a message, a call or an
 * event.
 */
export function isMessageId(text: ScannedText, start: number, at: number, end: number, left: number): boolean {
  if (isIdHost(text, at, end)) return true;
  if (isGmailHost(text, at, end) && GMAIL_ID.test(textBefore(text, at, MAX_GMAIL_ID_LENGTH))) return true;
  if (at - start > MIN_MACHINE_NAME_LENGTH && canBeMachineName(text, start) && MACHINE_NAME.test(text.slice(start, at)))
    return true;
  if (canFollowIdKey(text, start, left) && testAt(KEYED_ID, text, start)) return true;
  if (left === COLON) return CALENDAR_UID.test(textBefore(text, start, MAX_KEY_DISTANCE));
  if (
    (left === EQUALS || left === BLANK) &&
    codeAt(text, start - 2) === UPPER_D &&
    EVENT_KEY.test(textBefore(text, start, EVENT_KEY_LENGTH)) &&
    EVENT_NAME.test(text.slice(start, at))
  )
    return true;
  if (codeAt(text, end) === SEMICOLON && testAt(DIALOG_TAG, text, end)) return true;
  if (canFollowShortKey(text, start, left) && testAt(CALL_ID, text, start)) return true;
  if (start > 0 && !isListed(ID_CHARACTERS, left)) return false;
  if (left === DOLLAR && testAt(OUTLOOK_ID, text, start)) return true;
  if (codeAt(text, end) === GREATER_THAN && codeAt(text, end + 1) === BLANK && testAt(QUEUED_ID, text, end))
    return true;
  return isBracketedId(text, start);
}
