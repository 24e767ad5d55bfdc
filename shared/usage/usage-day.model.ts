import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import type { StoredHours } from './packed-levels.ts';
import type { UsageSum } from './usage.ts';

/**
 * The merged usage of one UTC day, by hour. It is immutable: a roll-up writes a new day, and a new
 * list of the year's days that points to it.
 */
export interface UsageDay extends StoredHours {
  _id: string;
  scenarioId: string;
  /** The version of the ledger that refers to this day, if the roll-up succeeded. */
  forVersion: number;
  /** The roll-up that has written this day. */
  rollUpId: string;
  /** The sum of the hours, for what is not shown by hour. */
  sum: UsageSum;
}

const schema = createSchema<UsageDay>(
  {
    _id: { type: String, required: true },
    scenarioId: { type: String, required: true },
    forVersion: { type: Number, required: true },
    rollUpId: { type: String, required: true },
    hours: { type: [{ type: Object }], required: true },
    levels: Buffer,
    sum: { type: Object, required: true },
  },
  { collection: 'usage_days' },
);

// Serves the removal of days of failed roll-ups and of deleted scenarios.
schema.index({ scenarioId: 1, forVersion: 1 });

export function createUsageDayModel(connection: ModelSource): Model<UsageDay> {
  return connection.model<UsageDay>('UsageDay', schema);
}
