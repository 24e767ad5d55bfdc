import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import type { HourCounters } from './stored-hour.ts';

/**
 * The counted usage of a scenario in one UTC hour. Its id is the scenario and the hour, such as
 * `4f0c…:2026-03-05T10`, so ranges of ids are in order of time.
 */
export interface UsageHour extends HourCounters {
  _id: string;
  /** The plan that changed it last. */
  seq: number;
}

const schema = createSchema<UsageHour>({}, { collection: 'usage_hours' });

export function createUsageHourModel(connection: ModelSource): Model<UsageHour> {
  return connection.model<UsageHour>('UsageHour', schema);
}
