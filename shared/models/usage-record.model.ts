import { type Connection, type Model, Schema } from 'mongoose';
import type { HourUsage } from '../pricing/usage.ts';

/**
 * The exact usage of one ingest job, per hour: the truth for every metric. Its id is the job's, so it is written once
 * however often the job is delivered. Folding empties it (`hours` and `open` go), but the row stays for that reason.
 */
export interface UsageRecord {
  _id: string;
  scenarioId: string;
  /** Present while its hours count; see shared/usage-ledger.ts. */
  open?: true;
  hours?: HourUsage[];
}

const schema = new Schema<UsageRecord>(
  {
    _id: { type: String, required: true },
    scenarioId: { type: String, required: true },
    open: Boolean,
    hours: { type: [{ type: Object }], default: undefined },
  },
  { collection: 'usage_records', versionKey: false },
);

// Serves every read of usage and the choice of what to fold: the records of a scenario that are not folded yet.
schema.index({ scenarioId: 1, open: 1 });

export function usageRecordModel(connection: Connection): Model<UsageRecord> {
  return connection.model<UsageRecord>('UsageRecord', schema);
}
