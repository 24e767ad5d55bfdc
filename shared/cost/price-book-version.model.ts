import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/mongo.ts';

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

const schema = createSchema<PriceBookVersion>(
  {
    _id: { type: String, required: true },
    sequence: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    asOf: { type: String, required: true },
    source: { type: String, required: true },
    regions: { type: [String], required: true },
    models: { type: [String], required: true },
    content: { type: String, required: true },
  },
  { collection: 'price_books', strict: 'throw' },
);

// Refuses the second of two versions that follow the same one. Serves the list and its end.
schema.index({ sequence: 1 }, { unique: true });

export function createPriceBookVersionModel(connection: ModelSource): Model<PriceBookVersion> {
  return connection.model<PriceBookVersion>('PriceBookVersion', schema);
}
