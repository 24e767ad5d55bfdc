// The prices of a model in a Region, as it is called.

import type { InferenceProfile, InferenceTier } from '../scenarios/pipeline.ts';
import { scopeOfCall, splitCall } from './called-model.ts';
import type { InferencePrices, Model, PriceBook, TokenPrices } from './price-book.ts';

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

/** The prices of a call by its tier and its size; undefined without a price. */
export function modelPrices(
  book: PriceBook,
  call: string,
  region: string,
  { tier, profile }: InferenceTerms = {},
): { prices: Partial<InferencePrices> | undefined; estimated: boolean } {
  const { model: id, isLong } = splitCall(call);
  const model = book.model(id);
  const prices = inferencePrices(book, call, region, profile);
  if (model === undefined || prices === undefined) return { prices: undefined, estimated: false };
  const hasLimit = isLong && model.longContextAbove !== undefined;
  if (tier !== 'batch') return { prices: hasLimit ? longPrices(prices) : prices, estimated: false };
  // No source has the price of a long call in a batch job.
  return (hasLimit ? undefined : batchPrices(model, prices)) ?? { prices: undefined, estimated: false };
}

/** The price of a long call applies to each of its tokens. */
function longPrices(prices: InferencePrices): Partial<InferencePrices> {
  const long: Partial<InferencePrices> = {};
  const uncertain = new Set<keyof TokenPrices>();
  for (const [name, ofLong] of Object.entries(longNames) as [keyof TokenPrices, keyof TokenPrices][]) {
    const price = prices[ofLong];
    if (price !== undefined) long[name] = price;
    if (prices.uncertain?.has(ofLong)) uncertain.add(name);
  }
  return uncertain.size > 0 ? { ...long, uncertain } : long;
}

const longNames = {
  input: 'longInput',
  output: 'longOutput',
  cacheRead: 'longCacheRead',
  cacheWrite5m: 'longCacheWrite5m',
  cacheWrite1h: 'longCacheWrite1h',
} as const satisfies Partial<Record<keyof TokenPrices, keyof TokenPrices>>;

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
