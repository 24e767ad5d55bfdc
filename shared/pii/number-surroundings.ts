// Classifies the characters and the groups next to a number.
import { characters, classAt, wordClassAt } from './characters.ts';
import { isBeforeExpiry, isSeparatorAt } from './number-shapes.ts';
import { type Candidate, hasOneGroup, isBareDigits } from './scanned-text.ts';

const { DIGIT, LETTER, LOWER, WORD } = characters;

// How the text next to a number restricts it, in the order of strength.
export const CLEAR = 0;
/** The number is a segment of a path: `/path/123`. */
export const IN_PATH = 1;
/** The number is attached to other text, `x-123…`, and needs a keyword. */
const ATTACHED = 2;
/** The number is a part of another value, such as an amount or a phone number, and no finding. */
export const EMBEDDED = 3;

export function classifySurroundings(number: Candidate): number {
  return Math.max(number.attached === undefined ? classifyLeft(number) : CLEAR, classifyRight(number));
}

function classifyLeft(number: Candidate): number {
  const { text, shape, start } = number;
  const left = text.charAt(start - 1);
  const before = wordClassAt(text, start - 2);
  switch (left) {
    case '+':
      return before === 0 && !shape.hasLetters ? EMBEDDED : CLEAR;
    case '.':
      if (before === DIGIT || (before === 0 && !shape.hasLetters && text.charAt(start - 2) !== '.')) return EMBEDDED;
      return before === 0 ? CLEAR : ATTACHED;
    case '-':
      return before !== 0 || isBareDigits(number) ? ATTACHED : CLEAR;
    case '/':
      return shape.separators.includes('/') ? EMBEDDED : hasOneGroup(number) ? IN_PATH : CLEAR;
  }
  return left !== '' && '$@€£¥'.includes(left) ? EMBEDDED : CLEAR;
}

function classifyRight(number: Candidate): number {
  const { text, shape, start, end, attached } = number;
  const after = wordClassAt(text, end + 1);
  switch (text.charAt(end)) {
    // A percent sign before a quote is a wildcard of SQL.
    case '%':
      return shape.hasLetters || /["']/u.test(text.charAt(end + 1)) ? CLEAR : EMBEDDED;
    case '.':
      return (after & LOWER) === 0 ? CLEAR : ATTACHED;
    case '/':
      if (shape.separators.includes('/')) return EMBEDDED;
      if (shape.card !== 'none' && isBeforeExpiry(text, end)) return CLEAR;
      return after !== 0 && hasOneGroup(number) ? IN_PATH : CLEAR;
    case '-':
      return text.charAt(end + 1) === '*' ? EMBEDDED : CLEAR;
    // An asterisk masks further digits. Asterisks on both sides of the number are emphasis, and one
    // before a letter, or after the code of a brand, begins the next field: `4111…*D1229`.
    case '*':
      return (after & LETTER) !== 0 || attached !== undefined || text.charAt(start - 1) === '*' ? CLEAR : EMBEDDED;
  }
  return wordClassAt(text, end) === 0 ? CLEAR : EMBEDDED;
}

/**
 * The length of the group text[start, end) if it has digits only or is a group of a hex dump;
 * otherwise 0.
 */
function measureDigitGroup(text: string, start: number, end: number): number {
  const group = text.slice(start, end);
  return /^(?:\d+|(?=\w*\d)[A-Za-z\d]{4})$/u.test(group) ? group.length : 0;
}

/** Whether a group of `min` to `max` digits precedes or follows the number after one blank. */
export function hasDigitNeighbour(number: Candidate, min: number, max: number): boolean {
  const before = measureGroupBefore(number);
  if (before >= min && before <= max) return true;
  const after = measureGroupAfter(number);
  return after >= min && after <= max;
}

/** The length of the group of digits before the number, or 0. The previous finding does not count. */
function measureGroupBefore({ text, start, lastFindingEnd }: Candidate): number {
  if (start <= lastFindingEnd + 1 || text.charAt(start - 1) !== ' ') return 0;
  let at = start - 1;
  while (start - at < 10 && wordClassAt(text, at - 1) !== 0) at--;
  const left = text.charAt(at - 1);
  // A plus begins a phone number.
  return left === '+' || at === 0 || ' =:"\''.includes(left) ? measureDigitGroup(text, at, start - 1) : 0;
}

/** The length of the group of digits after the number, or 0. */
function measureGroupAfter({ scanned, text, end }: Candidate): number {
  if (text.charAt(end) !== ' ') return 0;
  let at = end + 1;
  while (at - end < 10 && wordClassAt(text, at) !== 0) at++;
  const isWhole = (classAt(text, at) & WORD) === 0 && !isSeparatorAt(scanned.units, at) && text.charAt(at) !== ':';
  return isWhole ? measureDigitGroup(text, end + 1, at) : 0;
}

/**
 * The offset of a line of a hex dump, `00000010: ` or `0x0010`. Other groups of the line can
 * precede the number if the offset ends in a colon.
 */
const DUMP_OFFSET = /(?:^|\s)0[\dxX][\dA-Fa-f]{0,14}0(?::?\s{1,2}|:\s{1,2}(?:[\dA-Fa-f]{4}\s){1,7})$/u;
/** Expiry date and security code are at most two groups, so three groups are columns. */
const COLUMNS = /^(?: {1,2}\d{1,20}){3}(?: |$)/u;

/** Whether the card can be groups of a hex dump or counters in columns, so it needs a keyword. */
export function isInDigitColumns(number: Candidate): boolean {
  const { text, shape, start, end } = number;
  if (text.charAt(start - 1) === ' ' && DUMP_OFFSET.test(text.slice(Math.max(0, start - 64), start))) return true;
  return shape.separators.includes(' ') && (hasDigitNeighbour(number, 4, 7) || COLUMNS.test(text.slice(end, end + 64)));
}
