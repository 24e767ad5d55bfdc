// Finds the groups of a number in a text: where they begin, end and continue.
import { characters } from './character-kinds.ts';

const { BLANK, DIGIT, DOT, HYPHEN, LETTER, LOWER, OPEN_BRACKET, OPEN_SQUARE, PLUS, SLASH, UPPER, wordKindAt } =
  characters;

/**
 * Whether the character at `at` can be the last letter of a prefix, `AB` or `RSSMRA`. A prefix in
 * lower case has at most two letters.
 */
export function canEndPrefix(text: string, at: number): boolean {
  if (at < 0) return false;
  const kind = wordKindAt(text, at);
  if (kind === UPPER) return true;
  return kind === LOWER && (at < 2 || wordKindAt(text, at - 1) === 0 || wordKindAt(text, at - 2) === 0);
}

/** Whether a group of digits, or a group that can be a check character, begins at `at`. */
export function canContinueRun(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const kind = wordKindAt(text, at);
  if ((kind & LETTER) === 0) return kind === DIGIT;
  // One or two letters, or a letter before digits.
  const next = at + 1 < text.length ? wordKindAt(text, at + 1) : 0;
  if ((next & LETTER) === 0) return true;
  const afterNext = at + 2 < text.length ? wordKindAt(text, at + 2) : 0;
  return (afterNext & LETTER) === 0;
}

/**
 * Whether the character at `at` separates two groups: `-` before a letter or digit, `.` before a
 * digit or a single letter, `/` and `+` between digits, `/` before a single upper-case letter.
 */
export function isSeparatorAt(text: string, at: number, separator: number): boolean {
  if (separator !== HYPHEN && separator !== DOT && separator !== SLASH && separator !== PLUS) return false;
  if (at + 1 >= text.length) return false;
  const next = wordKindAt(text, at + 1);
  if (separator === HYPHEN) return next !== 0;
  if (separator === DOT) return next === DIGIT || isSingleLetter(text, at + 1, next);
  if (next !== DIGIT && separator === SLASH) return isSingleLetter(text, at + 1, next & UPPER);
  return next === DIGIT && wordKindAt(text, at - 1) === DIGIT;
}

/** Finds the end of the chain that contains the group before `end`. */
export function findChainEnd(text: string, end: number): number {
  let at = end;
  while (at < text.length && isSeparatorAt(text, at, text.charCodeAt(at))) {
    at++;
    while (at < text.length && wordKindAt(text, at) !== 0) at++;
  }
  return at;
}

export function isOpening(code: number): boolean {
  return code === OPEN_BRACKET || code === OPEN_SQUARE;
}

function isSingleLetter(text: string, at: number, kind: number): boolean {
  return (kind & LETTER) !== 0 && (at + 1 >= text.length || wordKindAt(text, at + 1) === 0);
}

/**
 * Finds the end of an IBAN in groups of four that begins at `start`, `GB29 NWBK 6016 1331 9268 19`;
 * otherwise 0. The groups of an IBAN can look like other numbers.
 */
export function findIbanEnd(text: string, start: number): number {
  if ((wordKindAt(text, start) & LETTER) === 0 || (wordKindAt(text, start + 1) & LETTER) === 0) return 0;
  if (wordKindAt(text, start + 2) !== DIGIT || wordKindAt(text, start + 3) !== DIGIT) return 0;
  let at = start + 4;
  let length = 4;
  while (length < 34 && at < text.length && text.charCodeAt(at) === BLANK) {
    let end = at + 1;
    while (end < text.length && end - at <= 5 && (wordKindAt(text, end) & (DIGIT | UPPER)) !== 0) end++;
    const group = end - at - 1;
    if (group === 0 || group > 4) break;
    length += group;
    at = end;
    if (group < 4) break;
  }
  return length >= 15 ? at : 0;
}
