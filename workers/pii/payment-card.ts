// Payment cards: the lengths and groupings of their numbers, and which of them need a card keyword.

import { areAllSame, numberAt, passesLuhn } from '../../shared/pii/checksums.ts';
import { ISSUER_RANGES } from '../../shared/pii/payment-card-kinds.ts';
import type { PiiKind } from '../../shared/pii/pii-kind.ts';

/** The lengths of ungrouped numbers that need a keyword for every brand. */
export const CARD_LENGTHS_NEEDING_KEYWORD: ReadonlySet<number> = new Set(
  [13, 14, 15, 16, 17, 18, 19].filter((length) => !ISSUER_RANGES.some((range) => range.free.includes(length))),
);

/** Written forms: the lengths of the groups with the separators between them. */
export const CARD_SHAPES: readonly string[] = [
  '13',
  '14',
  '15',
  '16',
  '17',
  '18',
  '19',
  ...[' ', '-', '.', '+'].flatMap((separator) =>
    [
      '4 4 4 4',
      '4 6 5',
      '4 6 4',
      '4 4 4 4 3',
      '4 4 4 3',
      '4 3 3 3',
      '6 13',
      '4 4 4 4 1',
      '4 4 4 4 2',
      '4 4 5 4',
      '6 10',
      '8 8',
      '4 4 4 1',
      '4 12',
      '4 4 4 2',
      '4 4 8',
      '4 8 4',
      '4 5 6',
      '4 4 7',
    ].map((shape) => shape.replaceAll(' ', separator)),
  ),
];

/** The groupings that are printed on cards. Other groupings need a keyword. */
const STANDARD_GROUPINGS = new Set([
  '4 4 4 4',
  '4 6 5',
  '4 6 4',
  '4 4 4 4 3',
  '6 13',
  '4 3 3 3',
  '4 4 4 3',
  '4 4 4 4 1',
  '4 4 4 4 2',
]);

export function isStandardGrouping(shape: string): boolean {
  return STANDARD_GROUPINGS.has(shape.replaceAll(/[-+.]/gu, ' '));
}

/** The brand of a card, and whether the number needs a keyword. */
export interface CardMatch {
  readonly scheme: PiiKind['scheme'];
  readonly needsKeyword: boolean;
}

/** A range with its results by the length of a number, so that matching allocates no memory. */
interface RangeMatches {
  readonly from: number;
  readonly to: number;
  readonly bare: readonly (CardMatch | undefined)[];
  readonly grouped: readonly (CardMatch | undefined)[];
}

const MAX_CARD_LENGTH = 19;
const RANGES: readonly RangeMatches[] = ISSUER_RANGES.map(({ scheme, from, to, free, grouped, keyword }) => {
  const freeMatch: CardMatch = { scheme, needsKeyword: false };
  const keywordMatch: CardMatch = { scheme, needsKeyword: true };
  const matches = (freeLengths: readonly number[], keywordLengths: readonly number[]) =>
    Array.from({ length: MAX_CARD_LENGTH + 1 }, (_, length) => {
      if (freeLengths.includes(length)) return freeMatch;
      return keywordLengths.includes(length) ? keywordMatch : undefined;
    });
  return {
    from,
    to,
    bare: matches(free, [...grouped, ...keyword]),
    grouped: matches([...free, ...grouped], keyword),
  };
});

/**
 * Finds the brand of a number; undefined if no brand issues it at this length, or if the Luhn check
 * fails.
 */
export function matchCard(value: Uint8Array, length: number, isGrouped: boolean): CardMatch | undefined {
  const head = numberAt(value, 0, 6);
  if (
    head < 100000 ||
    (head > 199999 && head < 220000) ||
    !passesLuhn(value, 0, length) ||
    areAllSame(value, 0, length)
  )
    return undefined;
  for (const { from, to, bare, grouped } of RANGES)
    if (head >= from && head <= to) return isGrouped ? grouped[length] : bare[length];
  return undefined;
}
