// Payment cards: issuer ranges, the lengths and groupings of their numbers, and which of them need
// a card keyword.

import { areAllSame, numberAt, passesLuhn } from '../../shared/pii/checksums.ts';
import type { PaymentCardScheme } from '../../shared/pii/payment-card-kinds.ts';

interface IssuerRange {
  readonly scheme: PaymentCardScheme;
  /** First six digits, inclusive. */
  readonly from: number;
  readonly to: number;
  /** Lengths that need no keyword. */
  readonly free: readonly number[];
  /** Lengths that need a keyword unless the number is written in groups. */
  readonly grouped?: readonly number[];
  /** Lengths that always need a keyword. */
  readonly keyword?: readonly number[];
}

const MAESTRO_LENGTHS = [13, 14, 15, 16, 17, 18, 19];

/**
 * The ranges in order of precedence. The first range that contains a number decides, whatever its
 * length, so narrow ranges precede wide ranges.
 */
const ISSUER_RANGES: readonly IssuerRange[] = [
  { scheme: 'visa', from: 400000, to: 499999, free: [16], grouped: [19], keyword: [13] },
  { scheme: 'mastercard', from: 510000, to: 559999, free: [16] },
  { scheme: 'mastercard', from: 222100, to: 272099, free: [16] },
  { scheme: 'amex', from: 340000, to: 349999, free: [15] },
  { scheme: 'amex', from: 370000, to: 379999, free: [15] },
  { scheme: 'discover', from: 601100, to: 601199, free: [16], grouped: [19], keyword: [17, 18] },
  { scheme: 'discover', from: 644000, to: 659999, free: [16], grouped: [19], keyword: [17, 18] },
  { scheme: 'diners', from: 300000, to: 305999, free: [14], keyword: [16, 17, 18, 19] },
  { scheme: 'diners', from: 309500, to: 309599, free: [14], keyword: [16, 17, 18, 19] },
  { scheme: 'diners', from: 360000, to: 369999, free: [14], keyword: [16, 17, 18, 19] },
  { scheme: 'diners', from: 380000, to: 399999, free: [14], keyword: [16, 17, 18, 19] },
  { scheme: 'jcb', from: 352800, to: 358999, free: [16], grouped: [19], keyword: [17, 18] },
  { scheme: 'jcb', from: 308800, to: 309499, free: [], keyword: [16] },
  { scheme: 'jcb', from: 309600, to: 310299, free: [], keyword: [16] },
  { scheme: 'jcb', from: 311200, to: 312099, free: [], keyword: [16] },
  { scheme: 'jcb', from: 315800, to: 315999, free: [], keyword: [16] },
  { scheme: 'jcb', from: 333700, to: 334999, free: [], keyword: [16] },
  { scheme: 'unionpay', from: 620000, to: 629999, free: [16], grouped: [17, 18, 19] },
  { scheme: 'unionpay', from: 810000, to: 817199, free: [], keyword: [16, 17, 18, 19] },
  { scheme: 'mir', from: 220000, to: 220499, free: [], grouped: [16], keyword: [17, 18, 19] },
  { scheme: 'rupay', from: 508500, to: 508999, free: [], grouped: [16] },
  { scheme: 'rupay', from: 606000, to: 609999, free: [], grouped: [16] },
  { scheme: 'rupay', from: 817200, to: 829999, free: [], keyword: [16] },
  { scheme: 'other_card', from: 637000, to: 639999, free: [], keyword: [16] },
  { scheme: 'other_card', from: 979200, to: 979299, free: [], grouped: [16] },
  { scheme: 'other_card', from: 986000, to: 986099, free: [], grouped: [16] },
  { scheme: 'other_card', from: 860000, to: 860099, free: [], grouped: [16] },
  { scheme: 'other_card', from: 911200, to: 911299, free: [], keyword: [16] },
  { scheme: 'other_card', from: 100000, to: 199999, free: [], keyword: [15] },
  { scheme: 'maestro', from: 501800, to: 501899, free: [], grouped: [16], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 502000, to: 502099, free: [], grouped: [16], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 503800, to: 503899, free: [], grouped: [16], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 589300, to: 589399, free: [], grouped: [16], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 630400, to: 630499, free: [], grouped: [16], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 675900, to: 675999, free: [], grouped: [16], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 676100, to: 676399, free: [], grouped: [16], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 500000, to: 509999, free: [], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 560000, to: 589999, free: [], keyword: MAESTRO_LENGTHS },
  { scheme: 'maestro', from: 600000, to: 699999, free: [], keyword: MAESTRO_LENGTHS },
];

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
  readonly scheme: PaymentCardScheme;
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
const RANGES: readonly RangeMatches[] = ISSUER_RANGES.map(({ scheme, from, to, free, grouped = [], keyword = [] }) => {
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
