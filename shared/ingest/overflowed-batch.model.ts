import { type Model, Schema } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import type { FileId } from '../files/file-store.ts';

/**
 * A batch of entries that is in the store of files, because Redis had no capacity. It is removed
 * once the entries count, so it is what its job follows from.
 */
export interface OverflowedBatch {
  /** Id of the batch and of its job. */
  _id: string;
  scenarioId: string;
  requestId: string;
  /** Number of entries. */
  count: number;
  /** Whose share of the capacity it uses. */
  owner: string;
  /** The encrypted entries. */
  fileId: FileId;
  /** The name of the store that has the file. */
  store: string;
  sizeBytes: number;
  /** Bytes that count against the limits; more than `sizeBytes` for a small batch. */
  chargedBytes: number;
  createdAt: Date;
  /** When its job was added to the queue; `notQueued` before. */
  queuedAt: Date;
}

/** A value of its own, because null also finds documents without the field, which costs a sort. */
export const notQueued = new Date(0);

export type OverflowedBatchModel = Model<OverflowedBatch>;

const schema = createSchema<OverflowedBatch>(
  {
    _id: { type: String, required: true },
    scenarioId: { type: String, required: true },
    requestId: { type: String, required: true },
    count: { type: Number, required: true },
    owner: { type: String, required: true },
    fileId: { type: Schema.Types.ObjectId, required: true },
    store: { type: String, required: true },
    sizeBytes: { type: Number, required: true },
    chargedBytes: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    queuedAt: { type: Date, required: true },
  },
  { collection: 'overflowed_batches', strict: 'throw' },
);

// Serves the oldest batches of an owner that wait, the sums of all that wait, and the search for
// lost jobs.
schema.index({ queuedAt: 1, owner: 1, createdAt: 1, chargedBytes: 1 });
// Serves a flush, and the removal with the scenario.
schema.index({ scenarioId: 1, createdAt: 1 });
// Serves the removal of batches that are past their end.
schema.index({ createdAt: 1 });
// Serves the search for files that no batch names.
schema.index({ fileId: 1 });

export function createOverflowedBatchModel(connection: ModelSource): OverflowedBatchModel {
  return connection.model<OverflowedBatch>('OverflowedBatch', schema);
}
