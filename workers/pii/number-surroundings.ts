// Classifies the characters and the groups next to a number.
import { type Candidate, hasOneGroup, isBareDigits } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { isBeforeExpiry, isSeparatorAt } from './group-boundaries.ts';
import type { ScannedText } from './scanned-text.ts';

const { CLASSES, codeAt, DIGIT, isQuoteOrBlank, LOWER, UPPER, WORD, unitAt, wordClassAt } = characterClasses;
const {
  APOSTROPHE,
  ASTERISK,
  AT_SIGN,
  BACKSLASH,
  BEYOND_ASCII,
  BLANK,
  COLON,
  DOLLAR,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  EURO_SIGN,
  HYPHEN,
  PERCENT,
  PLUS,
  POUND_SIGN,
  SLASH,
  YEN_SIGN,
} = codes;

/** The ending of the name of a file, which can be longer: `.pdf.p7m`. */
const FILE_ENDING =
  /\.(?:pdf|p7[ms]|xml|csv|zip|jpe?g|png|tiff?|gif|docx?|xlsx?|txt|json|html?|eml|gz|bak|tmp|mp[34])(?!\w)/iuy;

/** Whether the number is the name of a file: `54414493.pdf`. */
export function isFileName({ text, end }: Candidate): boolean {
  FILE_ENDING.lastIndex = end;
  return codeAt(text, end) === DOT && FILE_ENDING.test(text);
}

/** The length of a group of a hex dump. */
const HEX_GROUP_LENGTH = 4;
const MAX_NEIGHBOUR_LENGTH = 10;

/** The characters next to the number do not affect it. */
export const CLEAR = 0;
/** The number is a segment of a path: `/path/123`. */
export const IN_PATH = 1;
/** The number is attached to other text (`x-123…`, `….json`) and needs a keyword. */
export const ATTACHED = 2;
/**
 * The number is a part of another value, such as an amount, a phone number or a fraction, and is
 * not a finding.
 */
export const EMBEDDED = 3;

/** @returns one of these constants, by the characters next to the number. */
export function classifySurroundings(number: Candidate): number {
  const left = number.start > 0 && number.gluedKeyword === undefined ? classifyLeft(number) : CLEAR;
  if (left === EMBEDDED || number.end >= number.text.length) return left;
  return Math.max(left, isQueueId(number) ? ATTACHED : classifyRight(number));
}

/** The program and the process id before the id of a queued mail, at most. */
const QUEUE_ID_LEAD = 48;

/** Whether the number can be the id of a queued mail: `postfix/qmgr[59949]: D132331332: sent`. */
function isQueueId({ text, start, end }: Candidate): boolean {
  if (unitAt(text, end) !== COLON || start < 3 || text.slice(start - 3, start) !== ']: ') return false;
  const lead = text.slice(Math.max(0, start - QUEUE_ID_LEAD), start);
  return /\bpostfix[^\s:]*\[\d+\]: $/.test(lead) && /^[\dA-F]+$/.test(text.slice(start, end));
}

function classifyLeft(number: Candidate): number {
  const { text, shape, start } = number;
  const left = unitAt(text, start - 1);
  const before = start > 1 ? unitAt(text, start - 2) : BLANK;
  const beforeClass = (CLASSES[before] as number) & WORD;
  if (left === DOLLAR || left === AT_SIGN || left === EURO_SIGN || left === POUND_SIGN || left === YEN_SIGN)
    return EMBEDDED;
  if (left === PLUS && beforeClass === 0 && !shape.hasLetters) return EMBEDDED;
  if (left === DOT) {
    if (beforeClass === DIGIT || (beforeClass === 0 && !shape.hasLetters && before !== DOT)) return EMBEDDED;
    return beforeClass === 0 ? CLEAR : ATTACHED;
  }
  if (left === HYPHEN) return beforeClass !== 0 || isBareDigits(number) ? ATTACHED : CLEAR;
  if (left === SLASH) return shape.separators.includes(SLASH) ? EMBEDDED : hasOneGroup(number) ? IN_PATH : CLEAR;
  // Only an escape (`\n123`) can touch a number.
  if (left < BEYOND_ASCII && ((CLASSES[left] as number) & WORD) !== 0 && before !== BACKSLASH) return EMBEDDED;
  return CLEAR;
}

function classifyRight(number: Candidate): number {
  const { text, shape, start, end, gluedKeyword } = number;
  const right = unitAt(text, end);
  const after = end + 1 < text.length ? unitAt(text, end + 1) : BLANK;
  const afterClass = (CLASSES[after] as number) & WORD;
  // A percent sign before a quote is a wildcard of SQL.
  if (right === PERCENT && !shape.hasLetters && after !== APOSTROPHE && after !== DOUBLE_QUOTE) return EMBEDDED;
  if (right === DOT) return (afterClass & LOWER) === 0 ? CLEAR : ATTACHED;
  if (right === SLASH) {
    if (shape.separators.includes(SLASH)) return EMBEDDED;
    if (shape.card !== 'none' && isBeforeExpiry(text, end)) return CLEAR;
    return afterClass !== 0 && hasOneGroup(number) ? IN_PATH : CLEAR;
  }
  if (right === HYPHEN) return afterClass !== 0 ? ATTACHED : after === ASTERISK ? EMBEDDED : CLEAR;
  // An asterisk masks further digits. Asterisks on both sides of the number are emphasis, and one
  // before a letter begins the next field: `4111…*D1229`, `REF*SY*123…`.
  // After the code of a brand, digits are the next field as well: `*AX3457…*0627`.
  if (right === ASTERISK) {
    const isNextField = (afterClass & (LOWER | UPPER)) !== 0 || gluedKeyword !== undefined;
    return isNextField || codeAt(text, start - 1) === ASTERISK ? CLEAR : EMBEDDED;
  }
  return right < BEYOND_ASCII && ((CLASSES[right] as number) & WORD) !== 0 ? EMBEDDED : CLEAR;
}

/**
 * The length of the group text[start, end) if it has digits only or is a group of a hex dump;
 * otherwise 0.
 */
function measureDigitGroup(text: ScannedText, start: number, end: number): number {
  const length = end - start;
  let digits = 0;
  for (let i = start; i < end; i++) if (wordClassAt(text, i) === DIGIT) digits++;
  return digits === length || (length === HEX_GROUP_LENGTH && digits > 0) ? length : 0;
}

/** The number of digits of a group that can be a part of the same value. */
interface NeighbourLength {
  readonly min: number;
  readonly max: number;
}

/** Whether a group of digits precedes or follows the number, with one blank in between. */
export function hasDigitNeighbour(number: Candidate, { min, max }: NeighbourLength): boolean {
  const before = measureGroupBefore(number);
  if (before >= min && before <= max) return true;
  const after = measureGroupAfter(number);
  return after >= min && after <= max;
}

/**
 * The length of the group of digits before the number, or 0. The previous finding does not count.
 * The value of a key counts if it is as long as the first group: `card=4808 6560 7439 2206`.
 */
function measureGroupBefore({ text, shape, start, lastFindingEnd }: Candidate): number {
  if (start <= lastFindingEnd + 1 || unitAt(text, start - 1) !== BLANK) return 0;
  let at = start - 1;
  while (at > 0 && start - at < MAX_NEIGHBOUR_LENGTH && wordClassAt(text, at - 1) !== 0) at--;
  const length = measureDigitGroup(text, at, start - 1);
  const left = at > 0 ? unitAt(text, at - 1) : BLANK;
  // A plus begins a phone number.
  if (left === BLANK || left === PLUS) return length;
  const isValue = length === shape.groups[0] && (left === EQUALS || left === COLON || isQuoteOrBlank(left));
  return isValue ? length : 0;
}

/** The length of the group of digits after the number, or 0. */
function measureGroupAfter({ text, end }: Candidate): number {
  if (end + 1 >= text.length || unitAt(text, end) !== BLANK) return 0;
  let at = end + 1;
  while (at < text.length && at - end < MAX_NEIGHBOUR_LENGTH && wordClassAt(text, at) !== 0) at++;
  const next = at < text.length ? unitAt(text, at) : BLANK;
  const isWhole = ((CLASSES[next] as number) & WORD) === 0 && !isSeparatorAt(text, at, next) && next !== COLON;
  return isWhole ? measureDigitGroup(text, end + 1, at) : 0;
}
