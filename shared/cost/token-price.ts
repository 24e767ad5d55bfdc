// The prices of calls of a model, by its profile, its tier and its size.
import type { CallProfile } from '../ingest/model-name.ts';
import type { InferenceProfile, InferenceTier } from '../scenarios/pipeline.ts';
import { splitCall } from './called-model.ts';
import { findOverride } from './own-prices.ts';
import { type Model, offersBatch, type PriceBook, type PricedTier } from './price-book.ts';
import { secondSource } from './price-book-file.ts';
import type { InferenceKind, PriceLineId } from './price-line.ts';

/**
 * The scopes in which a call can have a price, the preferred one first: a Region, `geo` or `global`.
 * @param region of the scenario.
 * @param assumed how the scenario calls models.
 */
function scopesOfCall(
  book: PriceBook,
  call: string,
  region: string,
  assumed: CallProfile = 'regional',
): readonly string[] {
  const { profile = assumed } = splitCall(call);
  const partition = book.region(region)?.partition;
  if (profile === 'global') return ['global'];
  if (profile === 'geo') return ['geo', region];
  if (profile === 'regional') return partition === 'aws' ? [region, 'geo'] : [region];
  // The price of a Region of the partition: the scenario's, or else the first.
  const others = book.regions.filter((other) => other.partition === profile).map(({ code }) => code);
  return partition === profile ? [region, ...others] : others;
}

/**
 * Why the price of calls is not certain, for people; undefined if their size does not matter.
 * @param counted the name under which they were counted.
 * @param model by which they are priced.
 * @param countedBy the book by whose limits they were counted.
 * @param isDerived whether a pipeline makes the calls, whose size is known.
 */
export function sizeRemark(
  counted: string,
  model: Model | undefined,
  countedBy: Pick<PriceBook, 'model'>,
  isDerived: boolean,
): string | undefined {
  const { model: id, isLong } = splitCall(counted);
  if (model === undefined) return undefined;
  const { context_window: window = Infinity, long_context_above: limit } = model;
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
const limitOf = (model: Model | undefined): number => model?.long_context_above ?? model?.context_window ?? Infinity;

/** How a model is called. Default: on demand, in the Region. */
export interface InferenceTerms {
  tier?: InferenceTier;
  profile?: InferenceProfile;
}

/** A price of the book, with all its tiers. */
export interface ListPrice {
  line: PriceLineId;
  tiers: readonly PricedTier[];
  /** The scopes of own prices that come before it, the preferred one first. */
  scopes: readonly string[];
  /** Whether it is an estimate. */
  isEstimated?: boolean;
  /** Whether it is that of the fallback Region. */
  isFallback?: boolean;
}

/** The kinds of tokens of a call. */
export type TokenKind = Extract<InferenceKind, 'input' | 'output' | `cache_${string}`>;

/**
 * The list price of tokens of a call, by its tier and its size. The price of a long call applies to
 * each of its tokens. A batch job has the published batch price, otherwise half the standard price
 * as an estimate.
 * @returns undefined if no source has such prices, for the model or at all.
 */
export function tokenPrice(
  book: PriceBook,
  call: string,
  region: string,
  kind: TokenKind,
  { tier, profile }: InferenceTerms = {},
): ListPrice | undefined {
  const { model: id, isLong } = splitCall(call);
  const model = book.model(id);
  if (model === undefined) return undefined;
  const isAboveLimit = isLong && model.long_context_above !== undefined;
  const isBatch = tier === 'batch';
  const isCached = kind !== 'input' && kind !== 'output';
  if (isBatch && (isAboveLimit || isCached)) return undefined;
  const preferred = scopesOfCall(book, call, region, profile);
  const found = preferred.findIndex((scope) => Object.hasOwn(model.prices, scope));
  const lineOf = (name: InferenceKind) =>
    ({ service: 'inference', scope: preferred[found] ?? region, item: id, kind: name }) as const;
  const scopes = preferred.slice(0, found === -1 ? undefined : found + 1);
  const isEstimated = model.status === secondSource;
  const line = lineOf(isBatch && !isCached ? `batch_${kind}` : isAboveLimit ? `long_${kind}` : kind);
  const isKnown = found !== -1;
  const tiers = isKnown ? book.tiers(line) : [];
  if (!isBatch || tiers.length > 0 || !isKnown || !offersBatch(model)) return { line, tiers, scopes, isEstimated };
  const half = book.tiers(lineOf(kind)).map(({ to, price }) => ({ to, price: price / 2n }));
  return { line, tiers: half, scopes, isEstimated: true };
}

/** Whether tokens of a call have a list price or an own one. */
export function hasTokenPrice(...call: Parameters<typeof tokenPrice>): boolean {
  const [book] = call;
  const list = tokenPrice(...call);
  if (list === undefined) return false;
  const override = findOverride(book.overrides, list.line, list.scopes);
  return list.tiers.length > 0 || Boolean(override?.price);
}

/** Whether tokens that were counted from a message for one model are exact for another. */
export function countsAreExact(book: PriceBook, countedModel: string, pricedModel: string): boolean {
  const [counted, priced] = [countedModel, pricedModel].map((call) => book.model(splitCall(call).model));
  if (!counted?.tokenizer.exact || !priced?.tokenizer.exact) return false;
  return book.tokenMultipliers.get(counted.id) === book.tokenMultipliers.get(priced.id);
}
