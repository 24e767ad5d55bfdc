import { defineModel } from '../connections/mongo.ts';

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
