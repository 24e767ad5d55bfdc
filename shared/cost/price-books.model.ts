import { defineModel } from '../connections/mongo.ts';
import type { PriceLineId } from './price-line.ts';

/** A price book as it was at one time. It is inserted, and never changed or removed. */
export interface PriceBookVersion {
  /** The name, which follows from the content: see `versionOf`. */
  _id: string;
  /** Position among the versions, from 1. */
  sequence: number;
  /** When it was stored, by the clock of the process that did. */
  createdAt: Date;
  /** The date of the newest evidence. */
  asOf: string;
  /** Where its prices come from: `code`, or the source that was applied to the version before. */
  source: string;
  /** The codes and ids that scenarios can name. */
  regions: string[];
  models: string[];
  /** JSON of a price book file. */
  content: string;
}

export const createPriceBookVersionModel = defineModel<PriceBookVersion>('price_books', [
  // Refuses the second of two versions that follow the same one. Serves the list and its end.
  [{ sequence: 1 }, { unique: true }],
]);

/** A price of this installation in place of that of the price book, or a discount on a service. */
export interface PriceOverride {
  id: string;
  service: PriceLineId['service'];
  /** In per cent, as decimal text; null if it is a price. */
  discountPercent: string | null;
  /** Null if it is a discount. */
  price: OwnPrice | null;
  note: string;
  /** The account of the admin who set it, and when. */
  setBy: string;
  setAt: Date;
}

export interface OwnPrice extends Pick<PriceLineId, 'item' | 'kind'> {
  /** A Region code, `geo` or `global`; null: wherever the item is priced. */
  region: string | null;
  /** In the unit of the price book, as decimal text. */
  amount: string;
}

/** All overrides are one document, which is replaced as a whole. */
export interface PriceOverrides {
  _id: typeof overridesId;
  /** Incremented by every change, also by a removal of all overrides. */
  revision: number;
  overrides: PriceOverride[];
}

export const overridesId = 'all';

export const createPriceOverridesModel = defineModel<PriceOverrides>('price_overrides');
