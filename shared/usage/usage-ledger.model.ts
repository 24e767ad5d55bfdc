import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';

/** Where the usage of a UTC year is listed. */
export interface YearPointer {
  /** The start of the year, in epoch milliseconds. */
  year: number;
  /** A document of `usage_years`. */
  usageYearId: string;
}

/**
 * Lists the documents with a scenario's merged usage: years, which list their days. There is one
 * ledger per scenario, changed by compare-and-set on `version`. With all lists as long as a roll-up
 * permits, for the 130 years that a timestamp can have, it is 90 KB.
 */
export interface UsageLedger {
  /** The scenario's id. */
  _id: string;
  /** Incremented by every roll-up. */
  version: number;
  years: YearPointer[];
  /**
   * Usage records that the last roll-up merged. They no longer count, even before they are emptied.
   */
  covered: string[];
  /**
   * Documents of `usage_years` and `usage_days` that the last roll-up replaced, until they are
   * removed.
   */
  replaced?: string[];
  /** The roll-ups that made the last versions, the newest last: see `retainedRollUpIds`. */
  rollUpIds?: string[];
}

/**
 * Documents of roll-ups that failed are removed as long as so many later ones have not succeeded.
 */
export const retainedRollUpIds = 8;

const schema = createSchema<UsageLedger>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    years: { type: [{ _id: false, year: Number, usageYearId: String }], required: true },
    covered: { type: [String], required: true },
    replaced: { type: [String], default: undefined },
    rollUpIds: { type: [String], default: undefined },
  },
  { collection: 'usage_ledgers' },
);

export function createUsageLedgerModel(connection: ModelSource): Model<UsageLedger> {
  return connection.model<UsageLedger>('UsageLedger', schema);
}
