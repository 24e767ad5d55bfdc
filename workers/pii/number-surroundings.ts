// Classifies the characters and the groups next to a number.
import { characters } from './character-kinds.ts';
import { isSeparatorAt } from './group-boundaries.ts';
import type { NumberShape } from './number-shapes.ts';

const { BACKSLASH, BLANK, DIGIT, DOT, HYPHEN, KINDS, LOWER, PLUS, SLASH, WORD, wordKindAt } = characters;

/** The characters next to the number do not affect it. */
const CLEAR = 0;
/** The number is attached to other text (`x-123…`, `….json`, `/path/123`) and needs a keyword. */
export const ATTACHED = 1;
/**
 * The number is a part of another value, such as an amount, a phone number or a fraction, and is
 * not a finding.
 */
export const EMBEDDED = 2;

/** @returns `CLEAR`, `ATTACHED` or `EMBEDDED`, by the characters next to the number. */
export function classifySurroundings(text: string, start: number, end: number, shape: NumberShape): number {
  let verdict = CLEAR;
  if (start > 0) {
    const left = text.charCodeAt(start - 1);
    const before = start > 1 ? text.charCodeAt(start - 2) : BLANK;
    const beforeKind = (KINDS[before] as number) & WORD;
    if (left === 36 || left === 64 || left === 0x20ac || left === 0xa3 || left === 0xa5) return EMBEDDED;
    if (left === PLUS && beforeKind === 0 && !shape.hasLetters) return EMBEDDED;
    if (left === DOT) {
      if (beforeKind === DIGIT || (beforeKind === 0 && !shape.hasLetters && before !== DOT)) return EMBEDDED;
      if (beforeKind !== 0) verdict = ATTACHED;
    } else if (left === HYPHEN) {
      if (beforeKind !== 0) verdict = ATTACHED;
      else if (shape.groups.length === 1 && !shape.hasLetters) verdict = ATTACHED;
    } else if (left === SLASH && shape.separators.includes(SLASH)) return EMBEDDED;
    else if (left === SLASH && shape.groups.length === 1) verdict = ATTACHED;
    else if (left < 128 && ((KINDS[left] as number) & WORD) !== 0 && before !== BACKSLASH) {
      // Only an escape (`\n123`) can touch a number.
      return EMBEDDED;
    }
  }
  if (end < text.length) {
    const right = text.charCodeAt(end);
    const after = end + 1 < text.length ? text.charCodeAt(end + 1) : BLANK;
    const afterKind = (KINDS[after] as number) & WORD;
    if (right === 37 && !shape.hasLetters) return EMBEDDED;
    if (right === DOT && (afterKind & LOWER) !== 0) verdict = ATTACHED;
    else if (right === SLASH && shape.separators.includes(SLASH)) return EMBEDDED;
    else if (right === SLASH && afterKind !== 0 && shape.groups.length === 1) verdict = ATTACHED;
    else if (right === HYPHEN && afterKind !== 0) verdict = ATTACHED;
    // An asterisk masks further digits. Asterisks on both sides of the number are emphasis.
    else if ((right === 42 && text.charCodeAt(start - 1) !== 42) || (right === HYPHEN && after === 42)) return EMBEDDED;
    else if (right < 128 && ((KINDS[right] as number) & WORD) !== 0) return EMBEDDED;
  }
  return verdict;
}

/** Whether whole cards in groups of four follow text[…end). */
export function isFollowedByCards(text: string, end: number): boolean {
  let groups = 0;
  let at = end;
  while (at + 4 < text.length && text.charCodeAt(at) === BLANK && groups < 9) {
    for (let i = 1; i < 5; i++) if (wordKindAt(text, at + i) !== DIGIT) return groups > 0 && groups % 4 === 0;
    if (at + 5 < text.length && wordKindAt(text, at + 5) !== 0) break;
    at += 5;
    groups++;
  }
  return groups > 0 && groups % 4 === 0;
}

/**
 * The length of the group text[start, end) if it has digits only or is a group of a hex dump;
 * otherwise 0.
 */
function measureDigitGroup(text: string, start: number, end: number): number {
  const length = end - start;
  let digits = 0;
  for (let i = start; i < end; i++) if (wordKindAt(text, i) === DIGIT) digits++;
  return digits === length || (length === 4 && digits > 0) ? length : 0;
}

/**
 * Whether a group of `minDigits` to `maxDigits` digits precedes or follows text[start, end), with
 * one blank in between. A finding that ends at `lastFindingEnd` does not count.
 */
export function hasDigitNeighbour(
  text: string,
  start: number,
  end: number,
  minDigits: number,
  maxDigits: number,
  lastFindingEnd: number,
): boolean {
  if (start > lastFindingEnd + 1 && text.charCodeAt(start - 1) === BLANK) {
    let at = start - 1;
    while (at > 0 && start - at < 10 && wordKindAt(text, at - 1) !== 0) at--;
    const digits = measureDigitGroup(text, at, start - 1);
    // A plus begins a phone number.
    const isWhole = at === 0 || text.charCodeAt(at - 1) === BLANK || text.charCodeAt(at - 1) === PLUS;
    if (isWhole && digits >= minDigits && digits <= maxDigits) return true;
  }
  if (end + 1 < text.length && text.charCodeAt(end) === BLANK) {
    let at = end + 1;
    while (at < text.length && at - end < 10 && wordKindAt(text, at) !== 0) at++;
    const digits = measureDigitGroup(text, end + 1, at);
    const isWhole =
      at >= text.length ||
      (wordKindAt(text, at) === 0 && !isSeparatorAt(text, at, text.charCodeAt(at)) && text.charCodeAt(at) !== 58);
    if (isWhole && digits >= minDigits && digits <= maxDigits) return true;
  }
  return false;
}
