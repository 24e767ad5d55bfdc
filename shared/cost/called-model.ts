// Usage names a model as it is called: `anthropic.claude-sonnet-4-6`, or with the profile of the
// call after a blank, `anthropic.claude-sonnet-4-6 geo`. Calls above the limit of the model, see
// `CallLimits`, have `long` at the end: `openai.gpt-5.6-sol long`.

import type { CallProfile } from '../ingest/model-name.ts';
import type { InferenceProfile, InferenceTier } from '../scenarios/pipeline.ts';
import type { InferencePrices, Model, PriceBook, TokenPrices } from './price-book.ts';

interface CalledModel {
  readonly model: string;
  /** Absent: as the scenario calls models. */
  readonly profile?: CallProfile;
  /** Whether the calls are above the limit of the model. */
  readonly isLong: boolean;
}

const longSuffix = ' long';

export function splitCall(call: string): CalledModel {
  const isLong = call.endsWith(longSuffix);
  const ordinary = isLong ? call.slice(0, -longSuffix.length) : call;
  const blank = ordinary.indexOf(' ');
  return blank === -1
    ? { model: ordinary, isLong }
    : { model: ordinary.slice(0, blank), profile: ordinary.slice(blank + 1) as CallProfile, isLong };
}

/** The name of these calls where their input is above the limit. */
export const asLong = (call: string): string => (call.endsWith(longSuffix) ? call : call + longSuffix);

/**
 * The scope of the prices of a call in the book: a Region, `geo` or `global`.
 * @param region of the scenario.
 * @param assumed how the scenario calls models.
 * @returns undefined without a price.
 */
export function scopeOfCall(
  book: PriceBook,
  call: string,
  region: string,
  assumed: CallProfile = 'regional',
): string | undefined {
  const { model, profile = assumed } = splitCall(call);
  const prices = book.model(model)?.prices;
  const partition = book.region(region)?.partition;
  return scopesOf(profile).find((scope) => prices?.has(scope));

  /** In order of preference. */
  function scopesOf(called: CallProfile): readonly string[] {
    if (called === 'global') return ['global'];
    if (called === 'geo') return ['geo', region];
    if (called === 'regional') return partition === 'aws' ? [region, 'geo'] : [region];
    // The price of a Region of the partition: the scenario's, or else the first.
    const others = book.regions.filter((other) => other.partition === called).map(({ code }) => code);
    return partition === called ? [region, ...others] : others;
  }
}

/** How calls were counted, and how they are priced. */
interface PricedCalls {
  /** The name under which the calls were counted, and the one by which they are priced. */
  counted: string;
  priced: string;
  book: Pick<PriceBook, 'model'>;
  /** The book by whose limits the calls were counted. */
  countedBy: Pick<PriceBook, 'model'>;
  /** Whether a pipeline makes the calls, whose size is known. */
  isDerived: boolean;
}

/** Why the price of calls is not certain, for people; undefined if their size does not matter. */
export function sizeRemark({ counted, priced, book, countedBy, isDerived }: PricedCalls): string | undefined {
  const { model: id, isLong } = splitCall(counted);
  const model = book.model(splitCall(priced).model);
  if (model === undefined) return undefined;
  const { contextWindow: window = Infinity, longContextAbove: limit } = model;
  const countLimit = limitOf(countedBy.model(id));
  if (limit === undefined) {
    return isLong && window < Infinity && countLimit >= window
      ? `Some calls are above the context window of ${model.id}, ${window} tokens: the price is that of smaller calls.`
      : undefined;
  }
  if (isDerived || (isLong ? limit <= countLimit : limit >= countLimit)) return undefined;
  return `Calls of ${model.id} above ${limit} tokens have another price, but they were counted by ${
    countLimit === Infinity ? 'no limit' : `a limit of ${countLimit} tokens`
  }.`;
}

/** The tokens above which calls are counted apart. */
const limitOf = (model: Model | undefined): number => model?.longContextAbove ?? model?.contextWindow ?? Infinity;

// The prices of a model in a Region, as it is called.

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
