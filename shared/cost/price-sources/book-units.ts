import type { PriceLineId } from '../price-line.ts';

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
