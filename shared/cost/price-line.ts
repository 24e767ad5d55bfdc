// Names of prices, in the price book, in sources of prices and among own prices, and their units.

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
