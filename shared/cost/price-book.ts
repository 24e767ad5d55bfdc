// A price book as the code reads it. Prices are per unit, in 10^-28 USD.

import { readFileSync } from 'node:fs';
import { type Architecture, architectures, type QueueType } from '../scenarios/assumptions.ts';
import { type Money, mbMsPerGbSecond, parseDecimal, unitPrice } from './money.ts';
import type priceBookJson from './price-book.json';
import {
  checkPriceBookFile,
  evidenceOf,
  type InferencePricesFile,
  type PriceBookFile,
  type QueueTiersFile,
  secondSource,
  versionOf,
} from './price-book-file.ts';
import { type InferenceKind, inferenceKinds, keyOf, type PriceLineId } from './price-line.ts';
import type { PriceOverride } from './price-overrides.model.ts';

/** The Region whose queue prices replace unknown prices; see PRICE_FALLBACK. */
export type PriceFallback = 'us-east-1' | 'off';

export interface Region {
  code: string;
  name: string;
  partition: string;
}

/** Where a price comes from. */
interface PriceOrigin {
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
export interface TokenPrices {
  input: Money;
  output: Money;
  batchInput?: Money;
  batchOutput?: Money;
  cacheRead?: Money;
  cacheWrite5m?: Money;
  cacheWrite1h?: Money;
  longInput?: Money;
  longOutput?: Money;
  longCacheRead?: Money;
  longCacheWrite5m?: Money;
  longCacheWrite1h?: Money;
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

/**
 * The tokens of a call above which it is counted apart, by model: those of the input above
 * `longContextAbove`, or else, if the entry reports them, those of input and output above the
 * context window.
 */
export type CallLimits = ReadonlyMap<string, { tokens: number; isWindow: boolean }>;

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
  /** The ordinary lifetime of a cached prompt, if it is not 5 minutes. */
  cacheSeconds?: number;
  /** The tokens that a call can hold, input and output together, if they are known. */
  contextWindow?: number;
  /**
   * The `long` prices apply to every token of a call with more input tokens than this, cached ones
   * among them. Absent if the model has one price for calls of any size.
   */
  longContextAbove?: number;
  /** By Region code, `geo` or `global`. */
  prices: ReadonlyMap<string, InferencePrices>;
}

/** The names that scenarios and entries can use. */
export interface KnownNames {
  hasRegion(code: string): boolean;
  hasModel(id: string): boolean;
  readonly regionCodes: Iterable<string>;
  readonly modelIds: Iterable<string>;
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
  callLimits: CallLimits;
  region(code: string): Region | undefined;
  model(id: string): Model | undefined;
  origin(line: PriceLineId): PriceOrigin | undefined;
  /** The own prices and discounts of the installation. */
  overrides: readonly PriceOverride[];
  /** Set if there are overrides. */
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

/** The names of the kinds of inference prices. */
export const nameOfKind: Readonly<Record<InferenceKind, keyof TokenPrices>> = {
  input: 'input',
  output: 'output',
  batch_input: 'batchInput',
  batch_output: 'batchOutput',
  cache_read: 'cacheRead',
  cache_write_5m: 'cacheWrite5m',
  cache_write_1h: 'cacheWrite1h',
  long_input: 'longInput',
  long_output: 'longOutput',
  long_cache_read: 'longCacheRead',
  long_cache_write_5m: 'longCacheWrite5m',
  long_cache_write_1h: 'longCacheWrite1h',
};

// Reads price books: the one that is part of the code, stored versions, and other files.

// Only the type is used, but the import makes the compiler copy the data file to its output.

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
  return {
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
    callLimits: new Map(
      [...models.values()].flatMap(({ id, longContextAbove, contextWindow }) => {
        const tokens = longContextAbove ?? contextWindow;
        return tokens === undefined ? [] : [[id, { tokens, isWindow: longContextAbove === undefined }] as const];
      }),
    ),
    hasRegion: (code) => regions.has(code),
    hasModel: (id) => models.has(id),
    regionCodes: [...regions.keys()],
    modelIds: [...models.keys()],
    region: (code) => regions.get(code),
    model: (id) => models.get(id),
    origin: (line) => {
      const evidence = evidenceOf(file, line);
      return evidence && { effectiveFrom: evidence.effective_from, asOf: evidence.as_of, sources: evidence.sources };
    },
    overrides: [],
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
  const { id, name, provider, kind, status, as_of: asOf, sources, tokenizer } = file;
  return {
    id,
    name,
    provider,
    kind,
    status,
    asOf,
    sources,
    ...(file.cache_min_tokens !== undefined && { cacheMinTokens: file.cache_min_tokens }),
    ...(file.cache_seconds !== undefined && { cacheSeconds: file.cache_seconds }),
    ...(file.context_window !== undefined && { contextWindow: file.context_window }),
    ...(file.long_context_above !== undefined && { longContextAbove: file.long_context_above }),
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

function toInferencePrices(file: InferencePricesFile, uncertain: readonly InferenceKind[]): InferencePrices {
  const known = inferenceKinds.flatMap((kind) => {
    const price = file[`${kind}_per_1k`];
    return price === undefined ? [] : [[nameOfKind[kind], unitPrice(price, per1k)] as const];
  });
  return {
    ...(Object.fromEntries(known) as unknown as TokenPrices),
    ...(uncertain.length > 0 && { uncertain: new Set(uncertain.map((kind) => nameOfKind[kind])) }),
  };
}
