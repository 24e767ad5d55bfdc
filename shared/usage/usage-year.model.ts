import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import type { UsageSum } from './usage.ts';

/** Where the usage of a UTC day is stored. */
export interface DayPointer {
  /** The start of the day, in epoch milliseconds. */
  day: number;
  /** A document of `usage_days`. */
  usageDayId: string;
}

/**
 * Lists the usage days of one UTC year of a scenario, at most 366. It is immutable: a roll-up
 * writes a new list and points the ledger to it.
 */
export interface UsageYear {
  _id: string;
  scenarioId: string;
  /** The version of the ledger that refers to this list, if the roll-up succeeded. */
  forVersion: number;
  /** The roll-up that has written this list. */
  rollUpId: string;
  days: DayPointer[];
  /** The sums of months, for what is shown neither by hour nor by day. */
  months: UsageSum[];
}

const schema = createSchema<UsageYear>(
  {
    _id: { type: String, required: true },
    scenarioId: { type: String, required: true },
    forVersion: { type: Number, required: true },
    rollUpId: { type: String, required: true },
    days: { type: [{ _id: false, day: Number, usageDayId: String }], required: true },
    months: { type: [{ type: Object }], required: true },
  },
  { collection: 'usage_years' },
);

// Serves the removal of lists of failed roll-ups and of deleted scenarios.
schema.index({ scenarioId: 1, forVersion: 1 });

export function createUsageYearModel(connection: ModelSource): Model<UsageYear> {
  return connection.model<UsageYear>('UsageYear', schema);
}
