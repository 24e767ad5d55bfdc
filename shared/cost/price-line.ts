// Names of prices, in the price book, in sources of prices and among own prices, and their units.
// A price book file has them in places that follow from their names. The free tiers and ephemeral
// storage are not among them, because no source has them.

import { type Money, mbMsPerGbSecond, unitPrice } from './money.ts';

/** The kinds of inference prices: the fields `<kind>_per_1k` of the price book. */
export const inferenceKinds = [
  'input',
  'output',
  'batch_input',
  'batch_output',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  // Those of calls whose input is above the model's `long_context_above`.
  'long_input',
  'long_output',
  'long_cache_read',
  'long_cache_write_5m',
  'long_cache_write_1h',
] as const;
export type InferenceKind = (typeof inferenceKinds)[number];

export interface PriceLineId {
  service: 'queue' | 'function' | 'inference';
  /** A Region code, `geo`, `global`, or `any` if the source does not name a Region. */
  scope: string;
  /** `standard` or `fifo`; `requests`, `x86_64` or `arm64`; the id of a model. */
  item: string;
  /** `request` per million, `gb_second` per one, a kind of inference price per 1,000 tokens. */
  kind: 'request' | 'gb_second' | InferenceKind;
}

export type Service = PriceLineId['service'];
export const services = ['queue', 'function', 'inference'] as const satisfies readonly Service[];

export const ofServices = <Value>(valueOf: (service: Service) => Value): Record<Service, Value> => ({
  queue: valueOf('queue'),
  function: valueOf('function'),
  inference: valueOf('inference'),
});

export const keyOf = ({ service, scope, item, kind }: PriceLineId): string => [service, scope, item, kind].join(' ');

interface BookUnit {
  /** As people write it. */
  name: 'million requests' | 'GB-second' | 'thousand tokens';
  /** The price is for ten to this power of units. */
  power: number;
  /**
   * The decimals that the price book holds. With more, a price per unit would not be a whole number
   * of 10^-24 USD, which discounts rely on.
   */
  maxDecimals: number;
  /** The form of an amount. */
  form: RegExp;
}

/**
 * The price of a request, an invocation, a token or a MB·ms from that of the book's unit.
 * @throws RangeError if the amount has more digits than the price book holds.
 */
export const priceOfUnit = (amount: string, line: Pick<PriceLineId, 'kind'>): Money =>
  unitPrice(amount, line.kind === 'gb_second' ? mbMsPerGbSecond : 10n ** BigInt(bookUnit(line).power));

const unit = (name: BookUnit['name'], power: number, maxDecimals: number): BookUnit => {
  const form = new RegExp(`^\\d{1,30}(\\.\\d{1,${maxDecimals}})?$`);
  return { name, power, maxDecimals, form };
};
const perRequests = unit('million requests', 6, 18);
const perGbSecond = unit('GB-second', 0, 11);
const perTokens = unit('thousand tokens', 3, 21);

/** The unit of the price book by kind. */
export function bookUnit({ kind }: Pick<PriceLineId, 'kind'>): BookUnit {
  if (kind === 'request') return perRequests;
  return kind === 'gb_second' ? perGbSecond : perTokens;
}

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
