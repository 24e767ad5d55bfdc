import { type Connection, type Model, Schema } from 'mongoose';
import type { PiiType } from '../pii-kinds/pii-kind.ts';
import type { Architecture, QueueType } from '../pricing/assumptions.ts';

export interface PiiCount {
  type: PiiType;
  count: number;
  /** ISO 3166-1 alpha-2, for national ids. */
  country?: string;
}

/** A processed log entry. Of the message, only a hash and a redacted preview are stored. */
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

/** Usage that most entries of a batch have in common. It is stored once per batch, which halves the document. */
export interface CommonUsage {
  queueRequests: number;
  memoryMb: number;
  billedMs: number;
  model: string;
  outputTokens: number;
}

/**
 * The entries of one ingest job. The batch has the id of the job, so that a second delivery of the job finds the batch.
 */
export interface LogBatch {
  _id: string;
  scenarioId: string;
  receivedAt: Date;
  queueType: QueueType;
  architecture: Architecture;
  commonUsage: CommonUsage;
  entries: LogEntry[];
}

const schema = new Schema<LogBatch>(
  {
    _id: { type: String, required: true },
    scenarioId: { type: String, required: true },
    receivedAt: { type: Date, required: true },
    queueType: { type: String, required: true },
    architecture: { type: String, required: true },
    commonUsage: { type: Object, required: true },
    entries: { type: [{ type: Object }], required: true },
  },
  { collection: 'log_batches', versionKey: false },
);

// Serves the removal of a deleted scenario's batches, and reading them in order of receipt.
schema.index({ scenarioId: 1, receivedAt: 1 });

export function createLogBatchModel(connection: Connection): Model<LogBatch> {
  return connection.model<LogBatch>('LogBatch', schema);
}

/** Reads a batch. The driver skips the validation of UTF-8, because the service itself wrote the strings. */
export async function findLogBatch(model: Model<LogBatch>, id: string): Promise<LogBatch | null> {
  return model.collection.findOne<LogBatch>({ _id: id as never }, { enableUtf8Validation: false });
}
