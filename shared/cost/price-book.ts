// The prices per unit, in 10^-28 USD.
import { readFileSync } from 'node:fs';
import { type Architecture, architectures, type QueueType } from '../scenarios/assumptions.ts';
import { type Money, mbMsPerGbSecond, parseDecimal, unitPrice } from './money.ts';
// Only the type is used, but the import makes the compiler copy the data file to its output.
import type priceBookJson from './price-book.json';
import {
  checkPriceBookFile,
  type InferencePricesFile,
  type PriceBookFile,
  type QueueTiersFile,
  secondSource,
} from './price-book-file.ts';
import { versionOf } from './price-book-version.ts';
import { keyOf } from './price-changes/price-lines.ts';
import { evidenceOf } from './price-evidence.ts';
import type { PriceOverride } from './price-overrides.model.ts';
import { type InferenceKind, inferenceKinds, type PriceLineId } from './price-sources/price-point.ts';

/** The Region whose queue prices replace unknown prices; see PRICE_FALLBACK. */
export type PriceFallback = 'us-east-1' | 'off';

export interface Region {
  code: string;
  name: string;
  partition: string;
}

/** Where a price comes from. */
export interface PriceOrigin {
  /** The day from which the price applies; null if the source does not tell it. */
  effectiveFrom: string | null;
  /** The date of the newest evidence, as the source gives it. */
  asOf: string;
  /** Ids of `PriceBook.sources`. */
  sources: readonly string[];
}

interface PriceSource {
  id: string;
  title: string;
  publisher: string;
  version: string;
}

/** The price of the units above the previous tier, up to and including `to`. */
export interface PricedTier {
  /** Null: no limit. */
  to: bigint | null;
  price: Money;
}

export interface FunctionPrices {
  perInvocation: Money;
  /** Tiers in MB·ms. */
  compute: Readonly<Record<Architecture, readonly PricedTier[]>>;
}

/** Prices per token. */
interface TokenPrices {
  input: Money;
  output: Money;
  batchInput?: Money;
  batchOutput?: Money;
  cacheRead?: Money;
  cacheWrite5m?: Money;
  cacheWrite1h?: Money;
}

export interface InferencePrices extends TokenPrices {
  /** Prices that are stale or of a second source: costs at them are estimates. */
  uncertain?: ReadonlySet<keyof TokenPrices>;
}

interface Tokenizer {
  encoding: 'o200k_base';
  /** Multiplier of a token count, in hundredths: 118 for 1.18. */
  multiplierHundredths: number;
  /** Whether the encoding is the model's own. */
  exact: boolean;
}

export type TokenMultipliers = ReadonlyMap<string, number>;

export interface Model {
  id: string;
  name: string;
  provider: string;
  kind: string;
  status: string;
  asOf: string;
  sources: readonly string[];
  tokenizer: Tokenizer;
  /** The shortest prompt that can be cached, if it is known. */
  cacheMinTokens?: number;
  /** By Region code, `geo` or `global`. */
  prices: ReadonlyMap<string, InferencePrices>;
}

/** The names that scenarios and entries can use. */
export interface KnownNames {
  hasRegion(code: string): boolean;
  hasModel(id: string): boolean;
}

export interface PriceBook extends KnownNames {
  /** See `versionOf`. */
  version: string;
  /** Another one for other prices: the version, and the overrides. */
  key: string;
  asOf: string;
  currency: 'USD';
  sources: readonly PriceSource[];
  regions: readonly Region[];
  models: readonly Model[];
  /** The multipliers of the tokenizers by model, in hundredths, by which messages are counted. */
  tokenMultipliers: TokenMultipliers;
  region(code: string): Region | undefined;
  model(id: string): Model | undefined;
  origin(line: PriceLineId): PriceOrigin | undefined;
  /** The own prices and discounts of the installation; those of the month, after `inMonth`. */
  overrides: readonly PriceOverride[];
  /**
   * The book with the overrides of a month.
   * @param month its first instant in UTC, in epoch milliseconds.
   */
  inMonth(month: number): PriceBook;
  /** Set if it is the book of a month with overrides. */
  overridden?: {
    /** The same book without them. */
    list: PriceBook;
    find(line: PriceLineId): PriceOverride | undefined;
  };
  queue: {
    freeRequests: bigint;
    /** The tiers with a known price, lowest first. */
    knownTiers(region: string, type: QueueType): readonly PricedTier[];
  };
  function: {
    freeInvocations: bigint;
    freeMbMs: bigint;
    prices(region: string): FunctionPrices | undefined;
  };
}

let fileOfCode: PriceBookFile | undefined;
let uncheckedFileOfCode: PriceBookFile | undefined;
let shipped: PriceBook | undefined;

/**
 * Reads the price book that is part of the code, once in a process.
 * @throws Error that lists every error in the file with its field.
 */
export function loadPriceBook(): PriceBook {
  shipped ??= toPriceBook(readBookOfCode());
  return shipped;
}

/**
 * The content of the price book that is part of the code. It is checked once in a process, because
 * that takes 40 ms. @throws Error like `loadPriceBook`.
 */
export function readBookOfCode(): PriceBookFile {
  fileOfCode ??= checkPriceBookFile(parseBookOfCode());
  return fileOfCode;
}

/**
 * The version of the price book that is part of the code. The book is not checked, so that a start
 * is shorter if the database has this version, which was checked before it was stored.
 */
export function versionOfCode(): string {
  return versionOf(parseBookOfCode());
}

function parseBookOfCode(): PriceBookFile {
  const read = (): typeof priceBookJson =>
    JSON.parse(readFileSync(new URL('./price-book.json', import.meta.url), 'utf8'));
  uncheckedFileOfCode ??= read() as PriceBookFile;
  return uncheckedFileOfCode;
}

/** Creates a price book from the parsed content of a file. @throws Error like `loadPriceBook`. */
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

function toPriceBook(file: PriceBookFile): PriceBook {
  const regions = new Map(file.regions.map((region) => [region.code, region]));
  const models = new Map(file.inference.models.map((model) => [model.id, toModel(model, file)]));
  const queueTiers = new Map(
    Object.entries(file.queue.regions).map(([code, { standard, fifo }]) => [
      code,
      { standard: toQueueTiers(standard), fifo: toQueueTiers(fifo) },
    ]),
  );
  const functionPrices = new Map(
    Object.entries(file.function.regions).map(([code, prices]) => [
      code,
      toFunctionPrices(prices, file.function.tier_limits_gb_seconds),
    ]),
  );
  const version = versionOf(file);
  const book: PriceBook = {
    version,
    key: version,
    asOf: file.as_of,
    currency: file.currency,
    sources: file.sources.map(({ id, title, publisher, version }) => ({ id, title, publisher, version })),
    regions: file.regions,
    models: [...models.values()],
    tokenMultipliers: new Map(
      [...models.values()].map(({ id, tokenizer }) => [id, tokenizer.multiplierHundredths] as const),
    ),
    hasRegion: (code) => regions.has(code),
    hasModel: (id) => models.has(id),
    region: (code) => regions.get(code),
    model: (id) => models.get(id),
    origin: (line) => {
      const evidence = evidenceOf(file, line);
      return evidence && { effectiveFrom: evidence.effective_from, asOf: evidence.as_of, sources: evidence.sources };
    },
    overrides: [],
    inMonth: () => book,
    queue: {
      freeRequests: BigInt(file.queue.free_requests_per_month),
      knownTiers: (region, type) => queueTiers.get(region)?.[type] ?? [],
    },
    function: {
      freeInvocations: BigInt(file.function.free_requests_per_month),
      freeMbMs: BigInt(file.function.free_gb_seconds_per_month) * mbMsPerGbSecond,
      prices: (region) => functionPrices.get(region),
    },
  };
  return book;
}

const perMillion = 1_000_000n;
const per1k = 1_000n;

function toQueueTiers(file: QueueTiersFile | undefined): PricedTier[] {
  const tiers = (file?.tiers ?? []).map((tier) => ({
    to: tier.to_requests === null ? null : BigInt(tier.to_requests),
    price: unitPrice(tier.price_per_million, perMillion),
  }));
  const open = tiers.findIndex(({ to }) => to === null);
  const ascending = tiers.every(({ to }, i) => i === 0 || to === null || to > (tiers[i - 1]?.to ?? to));
  if (!ascending || (open !== -1 && open !== tiers.length - 1) || (file?.tiers_complete ?? false) !== (open !== -1)) {
    throw new Error(
      'price book: queue tiers must ascend, and the last one must have no limit if and only if tiers_complete is true',
    );
  }
  return tiers;
}

function toFunctionPrices(
  file: PriceBookFile['function']['regions'][string],
  limits: PriceBookFile['function']['tier_limits_gb_seconds'],
): FunctionPrices {
  const compute = (architecture: Architecture): PricedTier[] =>
    file[`${architecture}_prices_per_gb_second`].map((price, i) => {
      const to = limits[architecture][i];
      return {
        to: to === undefined ? null : BigInt(to) * mbMsPerGbSecond,
        price: unitPrice(price, mbMsPerGbSecond),
      };
    });
  const [x86, arm] = architectures;
  return {
    perInvocation: unitPrice(file.request_price_per_million, perMillion),
    compute: { [x86]: compute(x86), [arm]: compute(arm) },
  };
}

function toModel(file: PriceBookFile['inference']['models'][number], book: PriceBookFile): Model {
  const { id, name, provider, kind, status, as_of: asOf, sources, tokenizer, cache_min_tokens: cacheMinTokens } = file;
  return {
    id,
    name,
    provider,
    kind,
    status,
    asOf,
    sources,
    ...(cacheMinTokens === undefined ? {} : { cacheMinTokens }),
    tokenizer: {
      encoding: tokenizer.encoding,
      multiplierHundredths: Number(parseDecimal(tokenizer.multiplier, 2)),
      exact: tokenizer.exact,
    },
    prices: new Map(
      Object.entries(file.prices).map(([scope, prices]) => {
        const isUncertain = (kind: InferenceKind) =>
          status === secondSource || book.evidence?.[keyOf({ service: 'inference', scope, item: id, kind })]?.stale;
        return [scope, toInferencePrices(prices, inferenceKinds.filter(isUncertain))];
      }),
    ),
  };
}

/** The names of the kinds of inference prices. */
export const nameOfKind: Readonly<Record<InferenceKind, keyof TokenPrices>> = {
  input: 'input',
  output: 'output',
  batch_input: 'batchInput',
  batch_output: 'batchOutput',
  cache_read: 'cacheRead',
  cache_write_5m: 'cacheWrite5m',
  cache_write_1h: 'cacheWrite1h',
};

function toInferencePrices(file: InferencePricesFile, uncertain: readonly InferenceKind[]): InferencePrices {
  const optional = {
    batchInput: file.batch_input_per_1k,
    batchOutput: file.batch_output_per_1k,
    cacheRead: file.cache_read_per_1k,
    cacheWrite5m: file.cache_write_5m_per_1k,
    cacheWrite1h: file.cache_write_1h_per_1k,
  };
  const known = Object.entries(optional).flatMap(([key, price]) =>
    price === undefined ? [] : [[key, unitPrice(price, per1k)] as const],
  );
  return {
    input: unitPrice(file.input_per_1k, per1k),
    output: unitPrice(file.output_per_1k, per1k),
    ...(Object.fromEntries(known) as Omit<TokenPrices, 'input' | 'output'>),
    ...(uncertain.length > 0 && { uncertain: new Set(uncertain.map((kind) => nameOfKind[kind])) }),
  };
}
