// Payment cards: the groupings of their numbers, and which numbers need a keyword.
import { areAllSame, numberAt, passesLuhn } from './checksums.ts';
import { ISSUER_RANGES } from './payment-card-kinds.ts';
import type { PiiKind } from './pii-kind.ts';

/** The lengths of numbers that brands issue. */
const LENGTHS = [13, 14, 15, 16, 17, 18, 19];

/** Whether no brand issues ungrouped numbers of this length without need of a keyword. */
export function mayNeedKeyword(length: number): boolean {
  return !ISSUER_RANGES.some(({ free }) => free.includes(length));
}

/** The groupings that are printed on cards. Other groupings need a keyword. */
const STANDARD_GROUPINGS = '4 4 4 4,4 6 5,4 6 4,4 4 4 4 3,6 13,4 3 3 3,4 4 4 3,4 4 4 4 1,4 4 4 4 2'.split(',');
const UNUSUAL_GROUPINGS = '4 4 5 4,6 10,8 8,4 4 4 1,4 12,4 4 4 2,4 4 8,4 8 4,4 5 6,4 4 7'.split(',');

/** Written forms: the lengths of the groups with the separators between them. */
export const CARD_FORMS: readonly string[] = [
  ...LENGTHS.map(String),
  ...[' ', '-', '.', '+'].flatMap((separator) =>
    [...STANDARD_GROUPINGS, ...UNUSUAL_GROUPINGS].map((form) => form.replaceAll(' ', separator)),
  ),
];

export function isStandardGrouping(form: string): boolean {
  return STANDARD_GROUPINGS.includes(form.replaceAll(/[-+.]/gu, ' '));
}

/** The brand of a card, and whether the number needs a keyword. */
export interface CardMatch {
  readonly scheme: PiiKind['scheme'];
  readonly needsKeyword: boolean;
}

/**
 * Finds the brand of a number; undefined if no brand issues it at this length, or if the Luhn check
 * fails.
 */
export function matchCard(value: Uint8Array, length: number, isGrouped: boolean): CardMatch | undefined {
  const head = numberAt(value, 0, 6);
  if (head < 100000 || !passesLuhn(value, 0, length) || areAllSame(value, 0, length)) return undefined;
  const range = ISSUER_RANGES.find(({ from, to }) => head >= from && head <= to);
  if (range === undefined) return undefined;
  const { scheme, free, grouped, keyword } = range;
  if (free.includes(length) || (isGrouped && grouped.includes(length))) return { scheme, needsKeyword: false };
  return grouped.includes(length) || keyword.includes(length) ? { scheme, needsKeyword: true } : undefined;
}
