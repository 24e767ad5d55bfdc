// The prices of a model in a Region, as it is called.

import type { InferenceProfile, InferenceTier } from '../scenarios/pipeline.ts';
import type { InferencePrices, Model, PriceBook } from './price-book.ts';

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

/** The scope of these prices in the book: a Region, `geo` or `global`. */
export function scopeOfPrices(book: PriceBook, modelId: string, region: string, { profile }: InferenceTerms): string {
  if (profile === 'global') return 'global';
  return book.model(modelId)?.prices.has(region) ? region : 'geo';
}

/** The prices of a model as it is called; undefined without a price. */
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
