import type { PriceLineId } from '../price-line.ts';

/** The attributes of a product in an offer file. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** Whether a product has a price of the book. */
export type ProductClass =
  | { type: 'price'; line: PriceLineId }
  | { type: 'left-out'; reason: string }
  | { type: 'unmapped'; name: string };
