// The cost of the inference service: a price per token, without tiers, free amount or minimum.

import type { InferenceCount, UsageCounters } from '../usage/usage.ts';
import type { Money } from './money.ts';
import type { InferencePrices, Model, PriceBook } from './price-book.ts';
import type { PricingTerms, ServiceCost, ServiceMeter } from './service-cost.ts';

export interface InferenceUsage {
  inputTokens: bigint;
  outputTokens: bigint;
}

/**
 * Tokens of one request. Tokens read from or written to a prompt cache are not part of the input
 * tokens.
 */
export interface TokenCounts extends InferenceUsage {
  cacheReadTokens?: bigint;
  /** Tokens that are cached for five minutes. */
  cacheWriteTokens?: bigint;
}

/**
 * The prices of a model in a Region: the prices of the Region itself; otherwise, in commercial
 * Regions, the `geo` prices; otherwise undefined. The `global` prices apply only to the global
 * profile.
 */
export function inferencePrices(
  book: PriceBook,
  modelId: string,
  region: string,
  profile: 'regional' | 'global' = 'regional',
): InferencePrices | undefined {
  const prices = book.model(modelId)?.prices;
  if (profile === 'global') return prices?.get('global');
  return prices?.get(region) ?? (book.region(region)?.partition === 'aws' ? prices?.get('geo') : undefined);
}

/** The cost of tokens; null if there are cached tokens without a price. */
export function tokenCost(prices: InferencePrices, tokens: TokenCounts): Money | null {
  const { inputTokens, outputTokens, cacheReadTokens = 0n, cacheWriteTokens = 0n } = tokens;
  if (
    (cacheReadTokens > 0n && prices.cacheRead === undefined) ||
    (cacheWriteTokens > 0n && prices.cacheWrite5m === undefined)
  ) {
    return null;
  }
  return (
    inputTokens * prices.input +
    outputTokens * prices.output +
    cacheReadTokens * (prices.cacheRead ?? 0n) +
    cacheWriteTokens * (prices.cacheWrite5m ?? 0n)
  );
}

/**
 * The prices of a batch job: the published batch prices, otherwise half the standard prices as an
 * estimate. Undefined if the model has no batch prices in any Region.
 */
export function batchPrices(
  model: Model,
  prices: InferencePrices,
): { prices: InferencePrices; estimated: boolean } | undefined {
  const { input, output, batchInput, batchOutput } = prices;
  if (batchInput !== undefined && batchOutput !== undefined) {
    return { prices: { input: batchInput, output: batchOutput }, estimated: false };
  }
  const offersBatch = [...model.prices.values()].some((entry) => entry.batchInput !== undefined);
  return offersBatch ? { prices: { input: input / 2n, output: output / 2n }, estimated: true } : undefined;
}

/**
 * Prices inference usage. `asModel` prices the same tokens as if another model had processed them.
 * Counts from a message are then exact only if both models have the same tokenizer.
 */
export function createInferenceMeter({ region, book }: PricingTerms, asModel?: string): ServiceMeter<InferenceUsage> {
  const rates = new Map<string, { prices: InferencePrices | undefined; countsAreExact: boolean }>();
  const rateOf = (counted: string) => {
    let rate = rates.get(counted);
    if (rate === undefined) {
      const priced = asModel ?? counted;
      rate = {
        prices: inferencePrices(book, priced, region),
        countsAreExact: countsAreExact(book, counted, priced),
      };
      rates.set(counted, rate);
    }
    return rate;
  };

  return {
    startMonth() {},
    add(usage: UsageCounters): ServiceCost<InferenceUsage> | null {
      if (!usage.inference.some(hasTokens)) return null;
      let amount = 0n;
      let charged = false;
      let estimated = false;
      let unpriced: InferenceUsage | null = null;
      for (const row of usage.inference) {
        if (!hasTokens(row)) continue;
        const { prices, countsAreExact } = rateOf(row.model);
        if (prices === undefined) {
          unpriced ??= { inputTokens: 0n, outputTokens: 0n };
          unpriced.inputTokens += row.inputTokens;
          unpriced.outputTokens += row.outputTokens;
          continue;
        }
        amount += row.inputTokens * prices.input + row.outputTokens * prices.output;
        charged = true;
        estimated ||= !countsAreExact && row.estimatedEntries > 0n;
      }
      return { amount, charged, atFallbackPrice: false, estimated, unpriced };
    },
  };
}

function hasTokens({ inputTokens, outputTokens }: InferenceCount): boolean {
  return inputTokens > 0n || outputTokens > 0n;
}

/** Whether tokens that were counted from a message for one model are exact for another. */
export function countsAreExact(book: PriceBook, countedModel: string, pricedModel: string): boolean {
  const counted = book.model(countedModel)?.tokenizer;
  const priced = book.model(pricedModel)?.tokenizer;
  if (counted === undefined || priced === undefined) return false;
  return (
    priced.exact &&
    counted.exact &&
    counted.encoding === priced.encoding &&
    counted.multiplierHundredths === priced.multiplierHundredths
  );
}
