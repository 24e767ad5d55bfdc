// Payment cards: brands, issuer ranges, groupings of numbers, and which numbers need a keyword.
import { areAllSame, numberAt, passesLuhn } from './checks.ts';
import data from './payment-cards.json' with { type: 'json' };
import type { PiiKind } from './pii-kind.ts';

/** Numbers that a brand issues. The narrowest range that contains a number decides. */
interface IssuerRange {
  readonly scheme: PiiKind['scheme'];
  /** First six digits, inclusive. */
  readonly from: number;
  readonly to: number;
  /** Lengths that need no keyword. */
  readonly free: readonly number[];
  /** Lengths that need a keyword unless the number is written in groups. */
  readonly grouped: readonly number[];
  /** Lengths that always need a keyword. */
  readonly keyword: readonly number[];
}

const PREFIX_LENGTH = 6;

/** Ranges of `payment-cards.json`, by the first digits of numbers: `4`, or `51-55`. */
interface RangesRow extends Partial<Pick<IssuerRange, 'free' | 'grouped' | 'keyword'>> {
  readonly prefixes: readonly string[];
}

/** Keywords of payment cards. One list serves all brands, because a log rarely names the brand. */
export const PAYMENT_CARD_KEYWORDS: readonly string[] = data.keywords;

export const PAYMENT_CARD_KINDS: readonly PiiKind[] = data.brands.map(({ ranges: _ranges, ...brand }) => ({
  type: 'payment_card',
  ...brand,
  checksum: 'Luhn',
  keywords: PAYMENT_CARD_KEYWORDS,
  source: 'ISO/IEC 7812-1 (Luhn), issuer ranges as published by the scheme',
}));

/** The narrowest ranges first. */
const ISSUER_RANGES: readonly IssuerRange[] = data.brands
  .flatMap(({ scheme, ranges }) => ranges.flatMap((row) => readRanges(scheme, row)))
  .sort((a, b) => a.to - a.from - (b.to - b.from));

function readRanges(scheme: string, { prefixes, free = [], grouped = [], keyword = [] }: RangesRow): IssuerRange[] {
  return prefixes.map((digits) => {
    const [first = digits, last = first] = digits.split('-');
    const [from, to] = [Number(first.padEnd(PREFIX_LENGTH, '0')), Number(last.padEnd(PREFIX_LENGTH, '9'))];
    return { scheme, from, to, free, grouped, keyword };
  });
}

/** The lengths of numbers that brands issue. */
const CARD_LENGTHS = [13, 14, 15, 16, 17, 18, 19];

/** The groupings that are printed on cards. Other groupings need a keyword. */
const STANDARD_GROUPINGS = '4 4 4 4,4 6 5,4 6 4,4 4 4 4 3,6 13,4 3 3 3,4 4 4 3,4 4 4 4 1,4 4 4 4 2'.split(',');
const UNUSUAL_GROUPINGS = '4 4 5 4,6 10,8 8,4 4 4 1,4 12,4 4 4 2,4 4 8,4 8 4,4 5 6,4 4 7'.split(',');

/** Written forms: the lengths of the groups with the separators between them. */
export const CARD_FORMS: readonly string[] = [
  ...CARD_LENGTHS.map(String),
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
