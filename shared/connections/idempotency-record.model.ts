import type { Model } from 'mongoose';
import { defineModel } from './mongo.ts';

/** A POST with an `Idempotency-Key`. It is unreadable without the service's secrets. */
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

export type IdempotencyRecordModel = Model<IdempotencyRecord>;

export const createIdempotencyRecordModel = defineModel<IdempotencyRecord>('idempotency_records', [
  // Removes expired records.
  [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
]);
