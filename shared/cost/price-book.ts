// A price book as the code reads it. Prices are per unit, in 10^-28 USD.

import { readFileSync } from 'node:fs';
import { bookLines, evidenceOf, type PriceLine } from './book-lines.ts';
import { type Money, mbMsPerGbSecond, parseDecimal } from './money.ts';
// Only the type is used, but the import makes the compiler copy the data file to its output.
import type priceBookJson from './price-book.json';
import { checkPriceBookFile, type PriceBookFile, versionOf } from './price-book-file.ts';
import type { PriceOverride } from './price-books.model.ts';
import { keyOf, type PriceLineId, priceOfUnit } from './price-line.ts';

/** The Region whose queue prices replace unknown prices; see PRICE_FALLBACK. */
export type PriceFallback = 'us-east-1' | 'off';

export type Region = PriceBookFile['regions'][number];
export type Model = PriceBookFile['inference']['models'][number];

/** The price of the units above the previous tier, up to and including `to`. */
export interface PricedTier {
  /** Null: no limit. */
  to: bigint | null;
  price: Money;
}

export type TokenMultipliers = ReadonlyMap<string, number>;

/**
 * The tokens of a call above which it is counted apart, by model: those of the input above
 * `long_context_above`, or else, if the entry reports them, those of input and output above the
 * context window.
 */
export type CallLimits = ReadonlyMap<string, { tokens: number; isWindow: boolean }>;

/** The names that scenarios and entries can use. */
export interface KnownNames {
  readonly regionCodes: ReadonlySet<string>;
  readonly modelIds: ReadonlySet<string>;
}

/** A price book. */
export type PriceBook = ReturnType<typeof toPriceBook>;

let bookOfCode: PriceBook | undefined;

/** The price book that is part of the code, read once in a process. */
export function loadPriceBook(): PriceBook {
  bookOfCode ??= toPriceBook(readBookOfCode());
  return bookOfCode;
}

/**
 * The content of the price book that is part of the code. It is not checked: that takes some 50 ms,
 * and a test does it, and the start that stores it as a version.
 */
export function readBookOfCode(): PriceBookFile {
  const text = readFileSync(new URL('./price-book.json', import.meta.url), 'utf8');
  return JSON.parse(text) as typeof priceBookJson as PriceBookFile;
}

/**
 * Creates a price book from the parsed content of a file. @throws Error like `checkPriceBookFile`.
 */
export function createPriceBook(content: unknown): PriceBook {
  return toPriceBook(checkPriceBookFile(content));
}

/**
 * Opens the content of a stored version, which was validated when it was stored.
 * @throws Error if it has been changed since.
 */
export function openPriceBook(version: string, content: string): PriceBook {
  const book = toPriceBook(JSON.parse(content));
  if (book.version === version) return book;
  throw new Error(`The content of price book version ${version} has been changed: it is that of ${book.version}.`);
}

function toPriceBook(file: PriceBookFile) {
  const { queue, function: fn } = file;
  const regions = new Map(file.regions.map((region) => [region.code, region]));
  const models = new Map(file.inference.models.map((model) => [model.id, model]));
  const tiers = new Map(Array.from(bookLines(file), ([key, line]) => [key, toTiers(line)]));
  const limits = file.inference.models.flatMap(({ id, long_context_above: limit, context_window: window }) => {
    const tokens = limit ?? window;
    return tokens === undefined ? [] : [[id, { tokens, isWindow: limit === undefined }] as const];
  });
  return {
    regionCodes: new Set(regions.keys()) as KnownNames['regionCodes'],
    modelIds: new Set(models.keys()) as KnownNames['modelIds'],
    /** See `versionOf`. */
    version: versionOf(file),
    asOf: file.as_of,
    currency: file.currency,
    sources: file.sources,
    regions: file.regions as readonly Region[],
    models: file.inference.models as readonly Model[],
    /** The multipliers of the tokenizers by model, in hundredths, by which messages are counted. */
    tokenMultipliers: new Map(
      file.inference.models.map(({ id, tokenizer }) => [id, Number(parseDecimal(tokenizer.multiplier, 2))] as const),
    ) as TokenMultipliers,
    callLimits: new Map(limits) as CallLimits,
    region: (code: string) => regions.get(code),
    model: (id: string) => models.get(id),
    /** Where a price comes from: the date of the newest evidence, and ids of `sources`. */
    origin: (line: PriceLineId) => evidenceOf(file, line),
    /** The tiers of a list price by unit (MB·ms for `gb_second`), lowest first; none: unknown. */
    tiers: (line: PriceLineId): readonly PricedTier[] => tiers.get(keyOf(line)) ?? [],
    /** The own prices and discounts of the installation. */
    overrides: [] as readonly PriceOverride[],
    /** The free units of a month. */
    free: {
      requests: BigInt(queue.free_requests_per_month),
      invocations: BigInt(fn.free_requests_per_month),
      mbMs: BigInt(fn.free_gb_seconds_per_month) * mbMsPerGbSecond,
    },
  };
}

function toTiers({ steps, ...line }: PriceLine): PricedTier[] {
  const units = line.kind === 'gb_second' ? mbMsPerGbSecond : 1n;
  return steps.map(({ to, amount }) => ({ to: to && to * units, price: priceOfUnit(amount, line) }));
}

/** Whether a model has batch prices anywhere. */
export const offersBatch = ({ prices }: Model): boolean =>
  Object.values(prices).some(({ batch_input_per_1k: price }) => price !== undefined);
