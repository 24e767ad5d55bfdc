import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import type { StoredHours } from './packed-levels.ts';

/**
 * The exact usage of one ingest job, per hour. It is the source of every metric. The record has the
 * id of the job, so a second delivery of the job cannot write it again. For this reason, a roll-up
 * removes `open`, `hours` and `levels`, but keeps the document.
 */
export interface UsageRecord extends Partial<StoredHours> {
  _id: string;
  scenarioId: string;
  /** Present while the record is pending; see shared/usage/usage-ledger.ts. */
  open?: true;
}

const schema = createSchema<UsageRecord>(
  {
    _id: { type: String, required: true },
    scenarioId: { type: String, required: true },
    open: Boolean,
    hours: { type: [{ type: Object }], default: undefined },
    levels: Buffer,
  },
  { collection: 'usage_records' },
);

// Serves every read of usage and every roll-up: the pending records of a scenario.
schema.index({ scenarioId: 1, open: 1 });

export function createUsageRecordModel(connection: ModelSource): Model<UsageRecord> {
  return connection.model<UsageRecord>('UsageRecord', schema);
}
