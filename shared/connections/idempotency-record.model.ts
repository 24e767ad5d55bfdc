import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from './mongo.ts';

/**
 * A POST with an `Idempotency-Key`, in progress or finished. It is unreadable without the service's
 * secrets.
 */
export interface IdempotencyRecord {
  /** Keyed digest of the caller, the route and the key. */
  _id: string;
  /** Keyed digest of the request. The same key with another request is an error of the client. */
  fingerprint: string;
  /** The same for every attempt. */
  operationId: string;
  /** The current attempt. Absent without one. */
  attemptId?: string;
  /** After this time, the current attempt counts as lost. */
  lockedUntil: Date;
  /** Absent until the request has its final response. */
  response?: {
    status: number;
    headers: Record<string, string>;
    encryptedBody: string;
  };
  expiresAt: Date;
}

const schema = createSchema<IdempotencyRecord>(
  {
    _id: { type: String, required: true },
    fingerprint: { type: String, required: true },
    operationId: { type: String, required: true },
    attemptId: { type: String },
    lockedUntil: { type: Date, required: true },
    response: { type: Object },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'idempotency_records', strict: 'throw', minimize: false },
);

// Removes expired records.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type IdempotencyRecordModel = Model<IdempotencyRecord>;

export function createIdempotencyRecordModel(connection: ModelSource): IdempotencyRecordModel {
  return connection.model<IdempotencyRecord>('IdempotencyRecord', schema);
}
