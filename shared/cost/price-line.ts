// Names of prices, in the price book, in sources of prices and among own prices.

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

export const keyOf = ({ service, scope, item, kind }: PriceLineId): string => [service, scope, item, kind].join(' ');

interface BookUnit {
  /** The price is for ten to this power of units: 6 for a price per million. */
  power: number;
  /** The decimals that the price book holds. */
  maxDecimals: number;
}

/** The unit of the price book for each service and kind; `price-book-file.ts` has the decimals. */
export function bookUnit({ service, kind }: Pick<PriceLineId, 'service' | 'kind'>): BookUnit {
  if (service === 'inference') return { power: 3, maxDecimals: 21 };
  return kind === 'gb_second' ? { power: 0, maxDecimals: 11 } : { power: 6, maxDecimals: 18 };
}
