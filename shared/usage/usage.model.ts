import { defineModel } from '../connections/mongo.ts';
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

/** The usage of a UTC hour. Ids such as `4f0c…:2026-03-05T10` are in order of time. */
export type UsageHour = Stored<HourCounters>;

/** The sum of a UTC day, without levels and seconds. Its id is such as `4f0c…:2026-03-05`. */
export type UsageDay = Stored<DayCounters>;

export const createUsagePlanModel = defineModel<UsagePlan>('usage_plans');

export const createUsageHourModel = defineModel<UsageHour>('usage_hours');

export const createUsageDayModel = defineModel<UsageDay>('usage_days');
