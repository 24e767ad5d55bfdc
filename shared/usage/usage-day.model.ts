import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import type { DayCounters } from './stored-hour.ts';

/**
 * The sum of the hours of one UTC day, without levels and seconds, for what is not shown by hour.
 * Its id is the scenario and the day, such as `4f0c…:2026-03-05`.
 */
export interface UsageDay extends DayCounters {
  _id: string;
  /** The plan that changed it last. */
  seq: number;
}

const schema = createSchema<UsageDay>({}, { collection: 'usage_days' });

export function createUsageDayModel(connection: ModelSource): Model<UsageDay> {
  return connection.model<UsageDay>('UsageDay', schema);
}
