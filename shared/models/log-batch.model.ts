import { type Connection, type Model, Schema } from 'mongoose';
import type { PiiType } from '../pii-kinds/pii-kind.ts';
import type { Architecture, QueueType } from '../pricing/assumptions.ts';

export interface PiiCount {
  type: PiiType;
  count: number;
  /** ISO 3166-1 alpha-2, for national ids. */
  country?: string;
}

/** A processed log entry. The message itself is not kept: its hash and a redacted beginning are. */
export interface LogEntry {
  /** Position in the request; absent where it is the position in the list. */
  index?: number;
  /** Absent where it is the time of receipt. */
  timestamp?: Date;
  /** SHA-256 of the UTF-8 message, hexadecimal. */
  hash: string;
  /** The first characters of the redacted message. */
  preview: string;
  source?: string;
  level?: string;
  sizeBytes: number;
  /** Absent where nothing was found. */
  pii?: PiiCount[];
  inputTokens: number;
  /** What differs from the batch's common usage. */
  usage?: Partial<CommonUsage>;
}

/** Usage that the entries of a batch tend to share: it stands in the batch once, which halves its size. */
export interface CommonUsage {
  queueRequests: number;
  memoryMb: number;
  billedMs: number;
  model: string;
  outputTokens: number;
}

/** What one ingest job wrote; the job's id is its id, so a second delivery finds it here. */
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

// Serves the removal of a deleted scenario, and its batches in order of receipt.
schema.index({ scenarioId: 1, receivedAt: 1 });

export function logBatchModel(connection: Connection): Model<LogBatch> {
  return connection.model<LogBatch>('LogBatch', schema);
}

/** Reads a batch as it was written. By the driver, without its check of every string: the strings are our own. */
export async function findLogBatch(model: Model<LogBatch>, id: string): Promise<LogBatch | null> {
  return model.collection.findOne<LogBatch>({ _id: id as never }, { enableUtf8Validation: false });
}
