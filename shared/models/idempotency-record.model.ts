import { type Connection, type Model, Schema } from 'mongoose';

/** A POST with an `Idempotency-Key`, under way or answered. Nothing of it can be read without the service's secrets. */
export interface IdempotencyRecord {
  /** Made of the caller, the route and the key. */
  _id: string;
  /** Made of address and body: the same key with another request is a mistake. */
  fingerprint: string;
  /** Stays the same for every attempt. */
  operationId: string;
  /** The attempt under way may take until then; after that it is taken for lost. */
  lockedUntil: Date;
  /** Absent until the request has been answered for good. */
  answer?: {
    status: number;
    headers: Record<string, string>;
    /** Encrypted. Absent where the route makes the body again from what it has stored. */
    sealedBody?: string;
  };
  expiresAt: Date;
}

const schema = new Schema<IdempotencyRecord>(
  {
    _id: { type: String, required: true },
    fingerprint: { type: String, required: true },
    operationId: { type: String, required: true },
    lockedUntil: { type: Date, required: true },
    answer: { type: Object },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'idempotency_records', versionKey: false, strict: 'throw', minimize: false },
);

// Removes records whose day is over.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type IdempotencyRecordModel = Model<IdempotencyRecord>;

export function idempotencyRecordModel(connection: Connection): IdempotencyRecordModel {
  return connection.model<IdempotencyRecord>('IdempotencyRecord', schema);
}
