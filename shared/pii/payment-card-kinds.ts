// The brands of payment cards, their issuer ranges and the keywords of all of them.
import { anything, integer, kind, listOf, lowerCase, readFields, text } from './data-fields.ts';
import data from './payment-cards.json' with { type: 'json' };
import type { PiiKind } from './pii-kind.ts';

/** Numbers that a brand issues. The narrowest range that contains a number decides. */
export interface IssuerRange {
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
/** The first digits of numbers, `4`, or an inclusive range of them, `51-55`. */
const prefix = kind<string>('first digits, such as "4" or "51-55"', (value) =>
  /^\d{1,6}(?:-\d{1,6})?$/.test(String(value)),
);
const BRAND = { scheme: text, name: text, pattern: text, context: text, ranges: listOf(anything) };
const LENGTHS = { free: listOf(integer), grouped: listOf(integer), keyword: listOf(integer) };

const { brands: rows, keywords } = readFields(
  'payment-cards.json',
  data,
  { brands: listOf(anything), keywords: listOf(lowerCase) },
  {},
);
const brands = rows.map((row, i) => readFields(`payment-cards.json: brand ${i}`, row, BRAND, {}));

/** Keywords of payment cards. One list serves all brands, because a log rarely names the brand. */
export const PAYMENT_CARD_KEYWORDS: readonly string[] = keywords;

export const PAYMENT_CARD_KINDS: readonly PiiKind[] = brands.map(({ ranges: _ranges, ...brand }) => ({
  type: 'payment_card',
  ...brand,
  checksum: 'Luhn',
  keywords: PAYMENT_CARD_KEYWORDS,
  source: 'ISO/IEC 7812-1 (Luhn), issuer ranges as published by the scheme',
}));

/** The narrowest ranges first. */
export const ISSUER_RANGES: readonly IssuerRange[] = brands
  .flatMap(({ scheme, ranges }) => ranges.flatMap((range) => readRanges(scheme, range)))
  .sort((a, b) => a.to - a.from - (b.to - b.from));

function readRanges(scheme: string, data: unknown): IssuerRange[] {
  const where = `payment-cards.json: a range of ${scheme}`;
  const {
    prefixes,
    free = [],
    grouped = [],
    keyword = [],
  } = readFields(where, data, { prefixes: listOf(prefix) }, LENGTHS);
  return prefixes.map((digits) => {
    const [first = digits, last = first] = digits.split('-');
    const [from, to] = [Number(first.padEnd(PREFIX_LENGTH, '0')), Number(last.padEnd(PREFIX_LENGTH, '9'))];
    if (to < from) throw new Error(`${where}: the prefix "${digits}" ends before it begins.`);
    return { scheme, from, to, free, grouped, keyword };
  });
}
