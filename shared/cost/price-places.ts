// Where a price book file has its prices. The free tiers and ephemeral storage are not among them,
// because no source has them.
import { bookUnit, inferenceKinds, type PriceLineId } from './price-line.ts';

export type Fields = Record<string, unknown>;

/** The fields of a JSON object; none if the value is something else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** A price in a file that need not be valid. */
interface PricePlace {
  line: PriceLineId;
  path: string;
  /** The amounts, whatever they are: one for each tier. */
  amounts: unknown[];
  /** The limits of the tiers; null, or absent, for none. */
  limits: unknown[];
  /** False if the prices above the last tier are unknown. */
  isComplete: boolean;
  /** Why the amounts are not prices, if they are not. */
  fault: string | undefined;
}

function placeOf(
  line: PriceLineId,
  path: string,
  amounts: unknown[],
  limits: unknown[] = [],
  isComplete = true,
): PricePlace {
  const { maxDecimals, form } = bookUnit(line);
  const wrong = amounts.filter((amount) => typeof amount !== 'string' || !form.test(amount));
  const fault = `must be a decimal string with at most ${maxDecimals} decimals, not ${JSON.stringify(wrong[0])}`;
  return { line, path, amounts, limits, isComplete, fault: wrong.length > 0 ? fault : undefined };
}

/** The prices of a file in its order. */
export function* pricePlaces(content: unknown): Generator<PricePlace> {
  const { queue, function: functions, inference } = fieldsOf(content);
  for (const [scope, region] of Object.entries(fieldsOf(fieldsOf(queue)['regions']))) {
    for (const item of ['standard', 'fifo']) {
      const { tiers, tiers_complete: isComplete } = fieldsOf(fieldsOf(region)[item]);
      if (!Array.isArray(tiers)) continue;
      const line = { service: 'queue', scope, item, kind: 'request' } as const;
      const ofTiers = (name: string) => tiers.map((tier) => fieldsOf(tier)[name]);
      const [amounts, limits] = [ofTiers('price_per_million'), ofTiers('to_requests')];
      yield placeOf(line, `queue.regions.${scope}.${item}`, amounts, limits, isComplete === true);
    }
  }
  const { regions, tier_limits_gb_seconds: limitsOf } = fieldsOf(functions);
  for (const [scope, region] of Object.entries(fieldsOf(regions))) {
    for (const item of ['requests', 'x86_64', 'arm64'] as const) {
      const field = functionFields[item];
      const line = { service: 'function', scope, item, kind: item === 'requests' ? 'request' : 'gb_second' } as const;
      const limits = [fieldsOf(limitsOf)[item] ?? []].flat();
      yield placeOf(line, `function.regions.${scope}.${field}`, [fieldsOf(region)[field]].flat(), limits);
    }
  }
  const { models } = fieldsOf(inference);
  for (const [index, model] of (Array.isArray(models) ? models : []).entries()) {
    const { id, prices } = fieldsOf(model);
    for (const [scope, fields] of Object.entries(fieldsOf(prices))) {
      for (const kind of inferenceKinds) {
        const amount = fieldsOf(fields)[`${kind}_per_1k`];
        const line = { service: 'inference', scope, item: String(id), kind } as const;
        const path = `inference.models.${index}.prices.${scope}.${kind}_per_1k`;
        if (amount !== undefined) yield placeOf(line, path, [amount]);
      }
    }
  }
}

export const functionFields = {
  requests: 'request_price_per_million',
  x86_64: 'x86_64_prices_per_gb_second',
  arm64: 'arm64_prices_per_gb_second',
} as const;

/** The newest day of a text such as `2025-11-03 (us Regions rechecked 2026-07-24)`. */
export const newestDay = (text: string): string | null =>
  text
    .match(/\d{4}-\d\d-\d\d/g)
    ?.sort()
    .at(-1) ?? null;
