import { type Connection, type Model, Schema } from 'mongoose';
import type { HourUsage } from '../pricing/usage.ts';

/** The merged usage of one UTC day, by hour. Never changed: a roll-up writes a new one and the ledger points to it. */
export interface UsageDay {
  _id: string;
  scenarioId: string;
  /** The version of the ledger that points to it if its roll-up succeeds. */
  forVersion: number;
  hours: HourUsage[];
}

const schema = new Schema<UsageDay>(
  {
    _id: { type: String, required: true },
    scenarioId: { type: String, required: true },
    forVersion: { type: Number, required: true },
    hours: { type: [{ type: Object }], required: true },
  },
  { collection: 'usage_days', versionKey: false },
);

// Serves the removal of replaced and abandoned days, and of a deleted scenario.
schema.index({ scenarioId: 1, forVersion: 1 });

export function usageDayModel(connection: Connection): Model<UsageDay> {
  return connection.model<UsageDay>('UsageDay', schema);
}
