import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';

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

const schema = createSchema<UsagePlan>(
  {
    _id: { type: String, required: true },
    seq: { type: Number, required: true },
    open: { type: Boolean, required: true },
    ids: { type: [String], required: true },
  },
  { collection: 'usage_plans' },
);

export function createUsagePlanModel(connection: ModelSource): Model<UsagePlan> {
  return connection.model<UsagePlan>('UsagePlan', schema);
}
