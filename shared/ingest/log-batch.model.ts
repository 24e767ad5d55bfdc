import { randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import { defineModel } from '../connections/mongo.ts';
import { second } from '../durations.ts';
import type { PiiCount } from '../pii/entry-findings.ts';
import type { Architecture, QueueType } from '../scenarios/assumptions.ts';
import type { BatchUsage, CacheTokens } from '../usage/stored-hour.ts';

/** A processed log entry, with a hash and a redacted preview in place of its message. */
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

/** Usage that most entries of a batch share. It is stored once a batch, which halves its size. */
export interface CommonUsage extends Partial<CacheTokens> {
  queueRequests: number;
  memoryMb: number;
  billedMs: number;
  model: string;
  /** Null for entries that reported none. */
  outputTokens: number | null;
}

/**
 * `queued`: accepted; its text is in the row, and a worker is to process it. `stored`: processed;
 * its entries are part of the metrics. `failed`: the last attempt has failed; its text stays for
 * seven days, and a retry makes it `queued` again.
 */
type BatchState = 'queued' | 'stored' | 'failed';

/** The results of processing the entries of a batch, without prices. */
export interface BatchResults {
  queueType: QueueType;
  architecture: Architecture;
  commonUsage: CommonUsage;
  packed: PackedEntries;
}

/** A processed batch, without the fields that only its processing needs. */
export type ProcessedLogBatch = Pick<LogBatch, '_id' | 'scenarioId' | 'receivedAt'> & BatchResults;

/**
 * The entries of one ingest job. Inserted when a request is accepted, completed by one update that
 * depends on `state: 'queued'`, and counted into hours by a roll-up (`shared/usage/roll-up.ts`).
 */
export interface LogBatch extends Partial<BatchResults> {
  /** Also the id of its job. */
  _id: string;
  scenarioId: string;
  /** Whose share of the backlog it uses. */
  caller: string;
  /** Identifies a request with an `Idempotency-Key`. Another request with the key is refused. */
  fingerprint?: string;
  state: BatchState;
  receivedAt: Date;
  /** The request that it is of; of several, the first. */
  requestId: string;
  /** The requests of its entries in order, with how many each has; absent for those of one. */
  requests?: readonly { id: string; count: number }[];
  /** Number of entries. */
  count: number;
  /** Its size in the limits of the backlog: that of its stored text, at least 4 KiB. */
  bytes: number;
  /** The entries, compressed and encrypted (`batch-text.ts`); absent once they are processed. */
  text?: Uint8Array;
  /** Usage by hour. It never changes, and is removed when the batch is counted. */
  usage?: BatchUsage;
  /** Whether hours contain its usage. */
  counted: boolean;
  /** When it was counted; retention begins then. */
  countedAt?: Date;
  /** Why the last attempt has failed. */
  failure?: { code: string; message: string };
  failedAt?: Date;
}

/**
 * The results of all entries as `packEntries` writes them, in two values, which are encoded and
 * copied three times as fast as several thousand.
 */
export interface PackedEntries {
  /** SHA-256 of the messages, 32 bytes each. */
  hashes: Uint8Array;
  /** In UTF-8, lines of JSON: the `EntryColumns`, then the preview of each entry. */
  text: Uint8Array;
}

/** A list per field with a value per entry; absent if no entry has the field. */
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

export const createLogBatchModel = defineModel<LogBatch>('log_batches', [
  // Serves reports of entries, in order of receipt, and the removal of a deleted scenario's
  // batches.
  [{ scenarioId: 1, receivedAt: 1 }],
  // Serves reads of usage and roll-ups: the batches of a scenario that no hour contains, in an
  // order that does not depend on their state.
  [{ scenarioId: 1, counted: 1, receivedAt: 1, state: 1 }, { partialFilterExpression: { counted: false } }],
  // Serves the sum of the backlog by caller, and the sweep, which adds missing jobs in order.
  [{ state: 1, caller: 1, receivedAt: 1, bytes: 1 }, { partialFilterExpression: { state: 'queued' } }],
  // Serves the removal of counted batches after their retention.
  [{ countedAt: 1 }, { partialFilterExpression: { counted: true } }],
  // Serves the removal of failed batches after seven days, and the sweep that puts back their jobs.
  [{ failedAt: 1 }, { partialFilterExpression: { state: 'failed' } }],
]);

/** Options of reads: the bytes are not a `Binary`, and the service has written valid UTF-8. */
export const asStored = { enableUtf8Validation: false, promoteBuffers: true } as const;

/** For requests and reports: a batch without its text and its usage. */
export const processedFields = { text: 0, usage: 0 } as const;

/** A batch as requests read it. */
export type ReadLogBatch = Omit<LogBatch, 'text' | 'usage' | keyof BatchResults> &
  ({ state: 'queued' | 'failed' } | ({ state: 'stored' } & BatchResults));

/** Reads a batch, by the driver: Mongoose takes longer than the database. */
export async function findLogBatch(model: Model<LogBatch>, id: string): Promise<ReadLogBatch | null> {
  return model.collection.findOne<ReadLogBatch>({ _id: id as never }, { ...asStored, projection: processedFields });
}

/** The most that the clocks of two processes differ. */
const clockDifference = 5 * second;

/** Selects queued batches that were accepted before `time`. @param scenarioIds default: all. */
export const queuedBefore = (time: Date, scenarioIds?: readonly string[]) =>
  ({
    ...(scenarioIds && { scenarioId: { $in: [...scenarioIds] } }),
    state: 'queued',
    counted: false,
    receivedAt: { $lte: new Date(time.getTime() + clockDifference) },
  }) as const;

/** Bytes of a SHA-256 digest. */
export const hashBytes = 32;

/** @param hashes SHA-256 of the messages, `hashBytes` each. */
export function packEntries(columns: EntryColumns, previews: readonly string[], hashes: Uint8Array): PackedEntries {
  const lines = [columns, ...previews].map((line) => `${JSON.stringify(line)}\n`);
  return { hashes, text: new TextEncoder().encode(lines.join('')) };
}

/** @throws TypeError if the batch is damaged. */
export function entriesOf({ packed: { hashes, text } }: Pick<BatchResults, 'packed'>): LogEntry[] {
  const [first = '', ...previews] = bytesOf(text).toString().split('\n');
  // The last line ends as well.
  if (previews.length === 0) throw new TypeError('The entries of a log batch are damaged.');
  const {
    sizeBytes,
    inputTokens,
    index,
    timestamp,
    source,
    level,
    pii = [],
    usage = [],
  } = JSON.parse(first) as EntryColumns;
  const hexadecimal = bytesOf(hashes).toString('hex');
  const list = sizeBytes.map((size, at): LogEntry => {
    const entry: LogEntry = {
      hash: hexadecimal.slice(2 * hashBytes * at, 2 * hashBytes * (at + 1)),
      preview: JSON.parse(previews[at] as string) as string,
      sizeBytes: size,
      inputTokens: inputTokens[at] as number,
    };
    if (index) entry.index = index[at] as number;
    if (timestamp) entry.timestamp = new Date(timestamp[at] as number);
    if (typeof source?.[at] === 'string') entry.source = source[at];
    if (typeof level?.[at] === 'string') entry.level = level[at];
    return entry;
  });
  for (const { at, found } of pii) (list[at] as LogEntry).pii = found;
  for (const { at, own } of usage) (list[at] as LogEntry).usage = own;
  return list;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);

/** The last position that an id can contain. */
export const maxEntryIndex = 0xffff;

/**
 * The id of a log entry: a UUID of version 8 (RFC 9562, custom) from the batch's id. Its last 16
 * bits are the entry's position in the request, or in a batch of several requests. The id is known
 * before the entry is processed, and is not stored.
 * @param index at most `maxEntryIndex`.
 */
export function logEntryId(batchId: string, index: number): string {
  return `${batchId.slice(0, 14)}8${batchId.slice(15, 32)}${lastDigits(index)}`;
}

/** The id of a batch of one or several requests: a UUID v4 whose last 16 bits are 0. */
export const newBatchId = (): string => batchOf(randomUUID());

/**
 * The id by which a request reads the state of its entries: that of the batch with, in the last 16
 * bits, the position of the first of them. So the first request of a batch has the batch's id.
 */
export const requestPartId = (batchId: string, first: number): string =>
  first === 0 ? batchId : batchId.slice(0, 32) + lastDigits(first);

/** @returns the batch of a `requestPartId` and the position in it. */
export const readRequestPartId = (id: string) => ({ batchId: batchOf(id), first: Number.parseInt(id.slice(32), 16) });

const batchOf = (id: string) => id.slice(0, 32) + lastDigits(0);

const lastDigits = (position: number) => position.toString(16).padStart(4, '0');
