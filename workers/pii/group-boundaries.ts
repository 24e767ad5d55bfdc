// Finds the groups of a number in a text: where they begin, end and continue.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';

const { codeAt, DIGIT, LETTER, LOWER, UPPER, unitAt, wordClassAt, wordClassOrZero } = characterClasses;
const { BLANK, DOT, HYPHEN, OPEN_BRACKET, OPEN_SQUARE, PLUS, SLASH } = codes;

const MIN_IBAN_LENGTH = 15;
const MAX_IBAN_LENGTH = 34;
const IBAN_GROUP_LENGTH = 4;
/**
 * The expiry date of a card: `/1229`, `/12/29`, `/12-2029`, and `/2912` with the year first. In
 * four digits, the year of a test booking can be any: `/1180`.
 */
const EXPIRY_DATE = /\/(?:(?:0[1-9]|1[0-2])(?:\d\d|[/-]?(?:20)?[1-4]\d)|(?:20)?[23]\d[/-]?(?:0[1-9]|1[0-2]))(?!\d)/uy;

/**
 * Whether the character at `at` can be the last letter of a prefix, `AB` or `RSSMRA`. A prefix in
 * lower case has at most two letters.
 */
export function canEndPrefix(text: ScannedText, at: number): boolean {
  const kind = wordClassOrZero(text, at);
  if (kind === UPPER) return true;
  return kind === LOWER && (wordClassOrZero(text, at - 1) === 0 || wordClassOrZero(text, at - 2) === 0);
}

/** Whether a group of digits, or a group that can be a check character, begins at `at`. */
export function canContinueRun(text: ScannedText, at: number): boolean {
  const kind = wordClassOrZero(text, at);
  if ((kind & LETTER) === 0) return kind === DIGIT;
  // One or two letters, or a letter before digits.
  return (wordClassOrZero(text, at + 1) & LETTER) === 0 || (wordClassOrZero(text, at + 2) & LETTER) === 0;
}

/**
 * Whether the character at `at` separates two groups: `-` before a letter or digit, `.` before a
 * digit or a single letter, `/` and `+` between digits and single upper-case letters.
 */
export function isSeparatorAt(text: ScannedText, at: number, separator: number): boolean {
  if (separator !== HYPHEN && separator !== DOT && separator !== SLASH && separator !== PLUS) return false;
  const next = wordClassOrZero(text, at + 1);
  if (separator === HYPHEN) return next !== 0;
  if (separator === DOT) return next === DIGIT || isSingleLetter(text, at + 1, next);
  return (next === DIGIT || isSingleLetter(text, at + 1, next & UPPER)) && isDigitOrSingleUpperBefore(text, at);
}

/** Whether the character at `at` is a slash before the expiry date of a card. */
export function isBeforeExpiry(text: ScannedText, at: number): boolean {
  if (unitAt(text, at) !== SLASH) return false;
  EXPIRY_DATE.lastIndex = at;
  return EXPIRY_DATE.test(text);
}

/** Finds the end of the chain that contains the group before `end`. */
export function findChainEnd(text: ScannedText, end: number): number {
  let at = end;
  while (isSeparatorAt(text, at, codeAt(text, at))) {
    at++;
    while (wordClassOrZero(text, at) !== 0) at++;
  }
  return at;
}

export function isOpening(code: number): boolean {
  return code === OPEN_BRACKET || code === OPEN_SQUARE;
}

function isSingleLetter(text: ScannedText, at: number, kind: number): boolean {
  return (kind & LETTER) !== 0 && wordClassOrZero(text, at + 1) === 0;
}

function isDigitOrSingleUpperBefore(text: ScannedText, at: number): boolean {
  const before = wordClassAt(text, at - 1);
  return before === DIGIT || (before === UPPER && wordClassOrZero(text, at - 2) === 0);
}

/**
 * Finds the end of an IBAN in groups of four that begins at `start`, `GB29 NWBK 6016 1331 9268 19`;
 * otherwise 0. The groups of an IBAN can look like other numbers.
 */
export function findIbanEnd(text: ScannedText, start: number): number {
  if ((wordClassAt(text, start) & LETTER) === 0 || (wordClassAt(text, start + 1) & LETTER) === 0) return 0;
  if (wordClassAt(text, start + 2) !== DIGIT || wordClassAt(text, start + 3) !== DIGIT) return 0;
  let at = start + IBAN_GROUP_LENGTH;
  let length = IBAN_GROUP_LENGTH;
  while (length < MAX_IBAN_LENGTH && codeAt(text, at) === BLANK) {
    let end = at + 1;
    while (end - at <= IBAN_GROUP_LENGTH + 1 && (wordClassOrZero(text, end) & (DIGIT | UPPER)) !== 0) end++;
    const group = end - at - 1;
    if (group > IBAN_GROUP_LENGTH) break;
    length += group;
    at = end;
    if (group < IBAN_GROUP_LENGTH) break;
  }
  return length >= MIN_IBAN_LENGTH ? at : 0;
}
