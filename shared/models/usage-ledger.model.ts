import { type Connection, type Model, Schema } from 'mongoose';

/**
 * Lists the documents with a scenario's merged usage. There is one ledger per scenario, changed by compare-and-set on
 * `version`. The fields `covered` here and `open` of a usage record keep their names because existing databases use
 * them.
 */
export interface UsageLedger {
  /** The scenario's id. */
  _id: string;
  /** Incremented by every roll-up. */
  version: number;
  /** For each UTC day (its start, in epoch milliseconds) the document of `usage_days` with its usage. */
  days: { day: number; usageDayId: string }[];
  /** Usage records that the last roll-up merged into `days`. They no longer count, even before they are emptied. */
  covered: string[];
}

const schema = new Schema<UsageLedger>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    days: { type: [{ _id: false, day: Number, usageDayId: String }], required: true },
    covered: { type: [String], required: true },
  },
  { collection: 'usage_ledgers', versionKey: false },
);

export function createUsageLedgerModel(connection: Connection): Model<UsageLedger> {
  return connection.model<UsageLedger>('UsageLedger', schema);
}
