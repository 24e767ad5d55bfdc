// Usage names a model as it is called: `anthropic.claude-sonnet-4-6`, or with the profile of the
// call after a blank, `anthropic.claude-sonnet-4-6 geo`. Calls whose input is above the model's
// limit of the ordinary price have `long` at the end: `openai.gpt-5.6-sol long`.
import type { CallProfile } from '../ingest/model-name.ts';
import type { PriceBook } from './price-book.ts';

interface CalledModel {
  readonly model: string;
  /** Absent: as the scenario calls models. */
  readonly profile?: CallProfile;
  /** Whether the input of the calls is above the limit of the ordinary price. */
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
