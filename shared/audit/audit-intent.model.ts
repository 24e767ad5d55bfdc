import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import { minute } from '../durations.ts';
import type { AuditEvent } from './audit-record.model.ts';

/**
 * An operation whose event has no row to wait in, because it changes many rows or removes its row.
 * It is stored before the first change, and removed after its record is appended.
 */
export interface AuditIntent {
  /** The id of the event. The rows that the operation deletes name it in `deletedIn`. */
  _id: string;
  event: AuditEvent;
  /** Set when the operation has ended, together with the final details of the event. */
  closed: boolean;
  begunAt: Date;
}

/**
 * An open intent of this age belongs to an operation that did not end normally. No operation takes
 * as long, also if the clocks of two processes differ by minutes.
 */
export const abandonedAfter = 10 * minute;

const schema = createSchema<AuditIntent>(
  {
    _id: { type: String, required: true },
    event: { type: Object, required: true },
    closed: { type: Boolean, required: true },
    begunAt: { type: Date, required: true },
  },
  { collection: 'audit_intents', minimize: false, strict: 'throw' },
);

// Serves the search for closed intents, and for abandoned ones.
schema.index({ closed: 1, begunAt: 1 });

type AuditIntentModel = Model<AuditIntent>;

export function createAuditIntentModel(connection: ModelSource): AuditIntentModel {
  return connection.model<AuditIntent>('AuditIntent', schema);
}
