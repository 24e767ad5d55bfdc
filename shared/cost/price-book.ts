// A price book as the code reads it. Prices are per unit, in 10^-28 USD.
import type { Architecture, QueueType } from '../scenarios/assumptions.ts';
import type { Money } from './money.ts';
import type { InferenceKind, PriceLineId } from './price-line.ts';
import type { PriceOverride } from './price-overrides.model.ts';

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
