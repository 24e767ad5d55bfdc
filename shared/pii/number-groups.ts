// Where the groups of a number end and continue.
import { type CodeUnits, DIGIT, findGroupEnd, LETTER, UPPER, wordKindAt } from './characters.ts';
import { testAt } from './sticky-pattern.ts';

const PLUS = 43;
const HYPHEN = 45;
const FULL_STOP = 46;
const SLASH = 47;
/**
 * The expiry date of a card: `/1229`, `/12/29`, `/12-2029`, and `/2912` with the year first. In
 * four digits, the year of a test booking can be any: `/1180`.
 */
const EXPIRY_DATE = /\/(?:(?:0[1-9]|1[0-2])(?:\d\d|[/-]?(?:20)?[1-4]\d)|(?:20)?[23]\d[/-]?(?:0[1-9]|1[0-2]))(?!\d)/uy;

export function isSeparator(code: number): boolean {
  return code === HYPHEN || code === FULL_STOP || code === SLASH || code === PLUS;
}

/**
 * Whether the character at `at` separates two groups: `-` before a letter or digit, `.` before a
 * digit or a single letter, `/` and `+` between digits and single upper-case letters.
 */
export function isSeparatorAt(units: CodeUnits, at: number): boolean {
  const separator = units[at] as number;
  if (!isSeparator(separator)) return false;
  const next = wordKindAt(units, at + 1);
  if (separator === HYPHEN) return next !== 0;
  const isGroup = next === DIGIT || ((next & LETTER) !== 0 && wordKindAt(units, at + 2) === 0);
  if (separator === FULL_STOP || !isGroup) return isGroup;
  const before = wordKindAt(units, at - 1);
  return (next & (DIGIT | UPPER)) !== 0 && (before === DIGIT || (before === UPPER && wordKindAt(units, at - 2) === 0));
}

/** Whether the slash at `at` is before the expiry date of a card. */
export function isBeforeExpiry(text: string, at: number): boolean {
  return text.charAt(at) === '/' && testAt(EXPIRY_DATE, text, at);
}

/** The end of the chain of groups that contains the digit at `at`. */
export function findChainEnd(units: CodeUnits, at: number): number {
  let end = findGroupEnd(units, at);
  while (isSeparatorAt(units, end)) end = findGroupEnd(units, end + 1);
  return end;
}
