import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/mongo.ts';
import type { DayCounters, HourCounters } from './stored-hour.ts';

/**
 * The batches of a scenario that are being counted. A plan is inserted before its scenario, never
 * upserted, and removed only by the scenario's deletion, so that a sequence number is used once.
 */
export interface UsagePlan {
  /** The scenario's id. */
  _id: string;
  /** The number of the last plan. It only rises, and stays when a plan ends. */
  seq: number;
  /** Whether the plan is being carried out. */
  open: boolean;
  /** Its batches. */
  ids: string[];
}

/** The plan of a scenario without entries. */
export const firstPlan = (scenarioId: string): UsagePlan => ({ _id: scenarioId, seq: 0, open: false, ids: [] });

/** A sum, and the plan that changed it last. */
export type Stored<Counters> = Counters & { _id: string; seq: number };

/**
 * The counted usage of a scenario in one UTC hour. Its id is the scenario and the hour, such as
 * `4f0c…:2026-03-05T10`, so ranges of ids are in order of time.
 */
export type UsageHour = Stored<HourCounters>;

/**
 * The sum of the hours of one UTC day, without levels and seconds, for what is not shown by hour.
 * Its id is the scenario and the day, such as `4f0c…:2026-03-05`.
 */
export type UsageDay = Stored<DayCounters>;

const planSchema = createSchema<UsagePlan>(
  {
    _id: { type: String, required: true },
    seq: { type: Number, required: true },
    open: { type: Boolean, required: true },
    ids: { type: [String], required: true },
  },
  { collection: 'usage_plans' },
);
const hourSchema = createSchema<UsageHour>({}, { collection: 'usage_hours' });
const daySchema = createSchema<UsageDay>({}, { collection: 'usage_days' });

export function createUsagePlanModel(connection: ModelSource): Model<UsagePlan> {
  return connection.model<UsagePlan>('UsagePlan', planSchema);
}

export function createUsageHourModel(connection: ModelSource): Model<UsageHour> {
  return connection.model<UsageHour>('UsageHour', hourSchema);
}

export function createUsageDayModel(connection: ModelSource): Model<UsageDay> {
  return connection.model<UsageDay>('UsageDay', daySchema);
}
