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
