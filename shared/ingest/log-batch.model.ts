import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import type { PiiType } from '../pii/pii-kind.ts';
import type { Architecture, QueueType } from '../scenarios/assumptions.ts';

export interface PiiCount {
  type: PiiType;
  count: number;
  /** ISO 3166-1 alpha-2, for national ids. */
  country?: string;
}

/**
 * A processed log entry, as `entriesOf` returns it. Only a hash and a redacted preview of
 * the message are stored.
 */
export interface LogEntry {
  /** Position in the request. It is absent if it equals the position in the list. */
  index?: number;
  /** Time of the entry. It is absent if it equals the time of receipt. */
  timestamp?: Date;
  /** SHA-256 of the UTF-8 message, hexadecimal. */
  hash: string;
  /** The first characters of the redacted message. */
  preview: string;
  source?: string;
  level?: string;
  sizeBytes: number;
  /** The findings. Absent if nothing was found. */
  pii?: PiiCount[];
  inputTokens: number;
  /** The values that differ from the batch's common usage. */
  usage?: Partial<CommonUsage>;
}

/**
 * Usage that most entries of a batch have in common. It is stored once per batch, which halves the
 * document.
 */
export interface CommonUsage {
  queueRequests: number;
  memoryMb: number;
  billedMs: number;
  model: string;
  /** Null for entries that reported none; earlier versions stored the assumed number. */
  outputTokens: number | null;
}

/**
 * The entries of one ingest job. The batch has the id of the job, so that a second delivery of the
 * job finds the batch.
 */
export interface LogBatch {
  _id: string;
  scenarioId: string;
  receivedAt: Date;
  queueType: QueueType;
  architecture: Architecture;
  commonUsage: CommonUsage;
  packed: PackedEntries<StoredBytes>;
}

/**
 * The entries of a batch as `packEntries` writes them: two values in place of several thousand,
 * which would take three times as long to encode, to copy between threads and to decode.
 */
export interface PackedEntries<Bytes = Uint8Array> {
  /** SHA-256 of the messages, 32 bytes each. */
  hashes: Bytes;
  /**
   * In UTF-8: a line with the `EntryColumns` in JSON, then a line per entry with its preview as a
   * JSON string.
   */
  text: Bytes;
}

/** The driver returns bytes as a `Binary` by default. */
export type StoredBytes = Uint8Array | { value(): Uint8Array };

/**
 * A list per field with a value per entry. A list of an optional field is absent if no entry has
 * the field.
 */
export interface EntryColumns {
  sizeBytes: number[];
  inputTokens: number[];
  index?: number[];
  /** Epoch milliseconds. */
  timestamp?: number[];
  source?: (string | null)[];
  level?: (string | null)[];
  /** The entries with findings, by their position in the lists. */
  pii?: { at: number; found: PiiCount[] }[];
  /** The entries with usage of their own, by their position in the lists. */
  usage?: { at: number; own: Partial<CommonUsage> }[];
}

const schema = createSchema<LogBatch>(
  {
    _id: { type: String, required: true },
    scenarioId: { type: String, required: true },
    receivedAt: { type: Date, required: true },
    queueType: { type: String, required: true },
    architecture: { type: String, required: true },
    commonUsage: { type: Object, required: true },
    packed: { type: Object, required: true },
  },
  { collection: 'log_batches' },
);

// Serves the removal of a deleted scenario's batches, and reading them in order of receipt.
schema.index({ scenarioId: 1, receivedAt: 1 });

export function createLogBatchModel(connection: ModelSource): Model<LogBatch> {
  return connection.model<LogBatch>('LogBatch', schema);
}

/**
 * For reading batches: the driver skips the validation of UTF-8, because the service itself wrote
 * the strings.
 */
export const asStored = { enableUtf8Validation: false, promoteBuffers: true } as const;

export async function findLogBatch(model: Model<LogBatch>, id: string): Promise<LogBatch | null> {
  return model.collection.findOne<LogBatch>({ _id: id as never }, asStored);
}
