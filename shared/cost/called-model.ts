// Usage names a model as it is called: `anthropic.claude-sonnet-4-6`, or with the profile of the
// call after a blank, `anthropic.claude-sonnet-4-6 geo`. Calls above the limit of the model, see
// `CallLimits`, have `long` at the end: `openai.gpt-5.6-sol long`.
import type { CallProfile } from '../ingest/model-name.ts';
import type { Model, PriceBook } from './price-book.ts';

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
