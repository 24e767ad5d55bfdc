// The cost of the inference service: a price per token, without tiers, free amount or minimum.

import type { InferenceProfile, InferenceTier } from '../scenarios/pipeline.ts';
import type { InferenceCount, UsageCounters } from '../usage/usage.ts';
import { scopeOfCall, splitCall } from './called-model.ts';
import type { Money } from './money.ts';
import type { InferencePrices, Model, PriceBook } from './price-book.ts';
import type { PricingTerms, ServiceCost, ServiceMeter } from './service-cost.ts';

/** Tokens read from or written to a prompt cache are not part of the input tokens. */
export interface InferenceUsage {
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadTokens?: bigint;
  /** Tokens that are cached for the model's ordinary time, and for an hour. */
  cacheWriteTokens?: bigint;
  cacheWrite1hTokens?: bigint;
}

/** How a model is called. Default: on demand, in the Region. */
export interface InferenceTerms {
  tier?: InferenceTier;
  profile?: InferenceProfile;
}

/** The prices of a model as it is called; see `scopeOfCall`. */
export function inferencePrices(
  book: PriceBook,
  call: string,
  region: string,
  profile?: InferenceProfile,
): InferencePrices | undefined {
  const scope = scopeOfCall(book, call, region, profile);
  return scope === undefined ? undefined : book.model(splitCall(call).model)?.prices.get(scope);
}

/** The known cost of tokens, and the tokens without a price. */
export function tokenCost(
  prices: InferencePrices | undefined,
  tokens: InferenceUsage,
): { amount: Money; unpriced: InferenceUsage | null } {
  if (prices === undefined) return { amount: 0n, unpriced: tokens };
  let amount = 0n;
  let unpriced: InferenceUsage | null = null;
  for (const { field, price } of tokenCounters) {
    const count = tokens[field] ?? 0n;
    if (count === 0n) continue;
    const perToken = prices[price];
    if (perToken === undefined) unpriced = { ...(unpriced ?? { inputTokens: 0n, outputTokens: 0n }), [field]: count };
    else amount += count * perToken;
  }
  return { amount, unpriced };
}

/**
 * The prices of a batch job: the published batch prices, otherwise half the standard prices as an
 * estimate. Undefined if the model has no batch prices in any Region.
 */
export function batchPrices(
  model: Model,
  { input, output, batchInput, batchOutput, uncertain }: InferencePrices,
): { prices: InferencePrices; estimated: boolean } | undefined {
  if (batchInput !== undefined && batchOutput !== undefined) {
    const estimated = (uncertain?.has('batchInput') || uncertain?.has('batchOutput')) ?? false;
    return { prices: { input: batchInput, output: batchOutput }, estimated };
  }
  return offersBatch(model) ? { prices: { input: input / 2n, output: output / 2n }, estimated: true } : undefined;
}

export function offersBatch({ prices }: Model): boolean {
  return [...prices.values()].some(({ batchInput }) => batchInput !== undefined);
}

/** The counters of tokens with their prices. */
export const tokenCounters = [
  { item: 'input_tokens', field: 'inputTokens', price: 'input' },
  { item: 'output_tokens', field: 'outputTokens', price: 'output' },
  { item: 'cache_read_tokens', field: 'cacheReadTokens', price: 'cacheRead' },
  { item: 'cache_write_tokens', field: 'cacheWriteTokens', price: 'cacheWrite5m' },
  { item: 'cache_write_1h_tokens', field: 'cacheWrite1hTokens', price: 'cacheWrite1h' },
] as const;

/** The prices of a model as it is called. */
export function modelPrices(
  book: PriceBook,
  modelId: string,
  region: string,
  { tier, profile }: InferenceTerms = {},
): { prices: InferencePrices | undefined; estimated: boolean } {
  const model = book.model(splitCall(modelId).model);
  const prices = inferencePrices(book, modelId, region, profile);
  const unchanged = { prices, estimated: false };
  if (tier !== 'batch' || model === undefined || prices === undefined) return unchanged;
  return batchPrices(model, prices) ?? { prices: undefined, estimated: false };
}

/**
 * Prices inference usage. `asModel` prices the same tokens as if another model had processed them.
 * Counts from a message are then exact only if both models have the same tokenizer.
 */
export function createInferenceMeter(
  { region, book }: PricingTerms,
  { asModel, ...terms }: InferenceTerms & { asModel?: string | undefined } = {},
): ServiceMeter<InferenceUsage> {
  const rates = new Map<string, { prices: InferencePrices | undefined; estimated: boolean; countsAreExact: boolean }>();
  const rateOf = (counted: string) => {
    let rate = rates.get(counted);
    if (rate === undefined) {
      const priced = asModel ?? counted;
      rate = {
        ...modelPrices(book, priced, region, terms),
        countsAreExact: countsAreExact(book, counted, priced),
      };
      rates.set(counted, rate);
    }
    return rate;
  };

  return {
    add(usage: UsageCounters): ServiceCost<InferenceUsage> {
      let amount = 0n;
      let charged = false;
      let estimated = false;
      let unpriced: InferenceUsage | null = null;
      for (const row of usage.inference) {
        if (!hasTokens(row)) continue;
        const rate = rateOf(row.model);
        const cost = tokenCost(rate.prices, row);
        if (cost.unpriced !== null) unpriced = addInferenceUsage(unpriced, cost.unpriced);
        if (rate.prices === undefined) continue;
        amount += cost.amount;
        charged = true;
        estimated ||=
          rate.estimated ||
          (!rate.countsAreExact && row.estimatedEntries > 0n) ||
          tokenCounters.some(({ field, price }) => (row[field] ?? 0n) > 0n && rate.prices?.uncertain?.has(price));
      }
      return { amount, charged, atFallbackPrice: false, estimated, unpriced };
    },
  };
}

/** The sum of tokens; cached ones only if there are any. */
export function addInferenceUsage(a: InferenceUsage | null, b: InferenceUsage): InferenceUsage {
  const sum: InferenceUsage = { inputTokens: 0n, outputTokens: 0n };
  for (const { field } of tokenCounters) {
    const tokens = (a?.[field] ?? 0n) + (b[field] ?? 0n);
    if (tokens > 0n) sum[field] = tokens;
  }
  return sum;
}

const hasTokens = (row: InferenceCount): boolean => tokenCounters.some(({ field }) => (row[field] ?? 0n) > 0n);

/** Whether tokens that were counted from a message for one model are exact for another. */
export function countsAreExact(book: PriceBook, countedModel: string, pricedModel: string): boolean {
  const counted = book.model(splitCall(countedModel).model)?.tokenizer;
  const priced = book.model(splitCall(pricedModel).model)?.tokenizer;
  if (counted === undefined || priced === undefined) return false;
  return (
    priced.exact &&
    counted.exact &&
    counted.encoding === priced.encoding &&
    counted.multiplierHundredths === priced.multiplierHundredths
  );
}
