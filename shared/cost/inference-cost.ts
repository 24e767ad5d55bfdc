// The cost of the inference service: a price per token, without tiers, free amount or minimum.

import type { InferenceProfile, InferenceTier } from '../scenarios/pipeline.ts';
import type { InferenceCount, UsageCounters } from '../usage/usage.ts';
import type { Money } from './money.ts';
import type { InferencePrices, Model, PriceBook } from './price-book.ts';
import type { PricingTerms, ServiceCost, ServiceMeter } from './service-cost.ts';

/** Tokens read from or written to a prompt cache are not part of the input tokens. */
export interface InferenceUsage {
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadTokens?: bigint;
  /** Tokens that are cached for five minutes. */
  cacheWriteTokens?: bigint;
}

/** How a model is called. Default: on demand, in the Region. */
export interface InferenceTerms {
  tier?: InferenceTier;
  profile?: InferenceProfile;
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
  profile: InferenceProfile = 'regional',
): InferencePrices | undefined {
  const prices = book.model(modelId)?.prices;
  if (profile === 'global') return prices?.get('global');
  return prices?.get(region) ?? (book.region(region)?.partition === 'aws' ? prices?.get('geo') : undefined);
}

/** The known cost of tokens, and the tokens without a price. */
export function tokenCost(
  prices: InferencePrices | undefined,
  tokens: InferenceUsage,
): { amount: Money; unpriced: InferenceUsage | null } {
  if (prices === undefined) return { amount: 0n, unpriced: tokens };
  const { inputTokens, outputTokens, cacheReadTokens = 0n, cacheWriteTokens = 0n } = tokens;
  const { input, output, cacheRead, cacheWrite5m } = prices;
  const isMissing =
    (cacheReadTokens > 0n && cacheRead === undefined) || (cacheWriteTokens > 0n && cacheWrite5m === undefined);
  return {
    amount:
      inputTokens * input +
      outputTokens * output +
      cacheReadTokens * (cacheRead ?? 0n) +
      cacheWriteTokens * (cacheWrite5m ?? 0n),
    unpriced: isMissing
      ? {
          inputTokens: 0n,
          outputTokens: 0n,
          cacheReadTokens: cacheRead === undefined ? cacheReadTokens : 0n,
          cacheWriteTokens: cacheWrite5m === undefined ? cacheWriteTokens : 0n,
        }
      : null,
  };
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
] as const;

/** The prices of a model as it is called. */
export function modelPrices(
  book: PriceBook,
  modelId: string,
  region: string,
  { tier, profile }: InferenceTerms = {},
): { prices: InferencePrices | undefined; estimated: boolean } {
  const model = book.model(modelId);
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
  const cacheReadTokens = (a?.cacheReadTokens ?? 0n) + (b.cacheReadTokens ?? 0n);
  const cacheWriteTokens = (a?.cacheWriteTokens ?? 0n) + (b.cacheWriteTokens ?? 0n);
  return {
    inputTokens: (a?.inputTokens ?? 0n) + b.inputTokens,
    outputTokens: (a?.outputTokens ?? 0n) + b.outputTokens,
    ...(cacheReadTokens + cacheWriteTokens > 0n && { cacheReadTokens, cacheWriteTokens }),
  };
}

function hasTokens({
  inputTokens,
  outputTokens,
  cacheReadTokens = 0n,
  cacheWriteTokens = 0n,
}: InferenceCount): boolean {
  return inputTokens > 0n || outputTokens > 0n || cacheReadTokens > 0n || cacheWriteTokens > 0n;
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
