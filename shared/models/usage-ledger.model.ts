import { type Connection, type Model, Schema } from 'mongoose';

/**
 * Which documents hold a scenario's merged usage. One per scenario; changed by compare-and-set on `version`. The fields
 * `covered` here and `open` of a usage record keep these names: running installations have them in their data.
 */
export interface UsageLedger {
  /** The scenario's id. */
  _id: string;
  /** Grows by one with every roll-up. */
  version: number;
  /** Per UTC day (milliseconds since the epoch) the `usage_days` document that holds it. */
  days: { day: number; usageDayId: string }[];
  /** Usage records that the last roll-up merged into `days`; they no longer count, even while they are not emptied. */
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

export function usageLedgerModel(connection: Connection): Model<UsageLedger> {
  return connection.model<UsageLedger>('UsageLedger', schema);
}
