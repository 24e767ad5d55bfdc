import type { Queues } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { isDuplicateKey, majority } from '../../shared/connections/mongo.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { type Backlog, leastBatchBytes } from '../../shared/ingest/backlog.ts';
import { type BatchToStore, encryptBatch } from '../../shared/ingest/batch-text.ts';
import { ingestJobOptions, ingestPayload } from '../../shared/ingest/ingest-entries.queue.ts';
import {
  findLogBatch,
  type LogBatch,
  type ProcessedLogBatch,
  type RequestOfBatch,
} from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import type { Caller } from '../http/context.ts';
import type { WaitForJob } from '../jobs/wait-for-job.ts';

export interface AcceptDeps {
  models: Pick<Models, 'logBatch'>;
  backlog: Backlog;
  queues: Queues;
  waitForJob: WaitForJob;
  config: Pick<Config, 'ingest' | 'keys'>;
  log: Log;
}

/** The ids of the batches of a request, and whether an earlier request has them already. */
export interface BatchIdentity {
  /** The same for every request with the key; otherwise new. */
  idOf(part: number): string;
  /** Hash of the address, headers and body; undefined without an `Idempotency-Key`. */
  readonly fingerprint: string | undefined;
  /** Whether the first batch is in the database: its entries are accepted. */
  readonly isRepeat: boolean;
}

/** Entries of a running scenario, and the requests that they are of. */
interface EntriesToAccept extends BatchToStore {
  readonly scenarioId: string;
  readonly caller: Pick<Caller, 'limitKey'>;
  readonly identity: BatchIdentity;
  /** More than one only if their entries fit into one batch, and none has a key. */
  readonly requests: readonly [RequestOfBatch, ...RequestOfBatch[]];
}

/** The batch of a request that is in the database, and how to wait until it is processed. */
export interface AcceptedBatch {
  readonly id: string;
  /**
   * Adds its job. It does not fail: the sweep of the workers adds a missing one.
   * @returns null unless the request is a repeat, and a worker has processed the batch.
   */
  addJob(): Promise<ProcessedLogBatch | null>;
  /**
   * Adds its job, and waits until a worker has processed the batch. All requests of the batch wait
   * together.
   * @returns null if that takes more than `INGEST_WAIT_MS`, the last attempt has failed, or the
   * scenario is deleted.
   */
  processed(): Promise<ProcessedLogBatch | null>;
}

/** Entries of one batch. */
export const batchEntries = 1000;
/**
 * Numbers of queued batches: beyond both, a request adds no jobs to Redis. The sweep of the workers
 * adds them later, in order.
 */
const maxJobs = { all: 10_000, ofCaller: 100 };

/**
 * Accepts the entries of requests: writes them into the database, a row for each batch. Once the
 * rows are written, nothing fails.
 * @returns the first batch.
 * @throws AppError SERVICE_UNAVAILABLE if the backlog is full or the database is unreachable;
 * IDEMPOTENCY_MISMATCH.
 */
export async function acceptEntries(accepted: EntriesToAccept, deps: AcceptDeps): Promise<AcceptedBatch> {
  const { identity, caller, requests, entries } = accepted;
  const count = requests.reduce((sum, request) => sum + request.count, 0);
  const rows: LogBatch[] = [];
  for (let start = 0; start < count; start += batchEntries) {
    const part = entries.slice(start, start + batchEntries);
    const size = Math.min(batchEntries, count - start);
    rows.push(await rowOf(accepted, { id: identity.idOf(rows.length), entries: part, count: size }, deps));
  }
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const queued = identity.isRepeat ? 0 : await deps.backlog.reserve(caller.limitKey, rows.length, bytes);
  await insertRows(rows, deps);
  const jobs = rows.map((row, at) => ({
    payload: ingestPayload(row),
    options: ingestJobOptions(row._id, queued + at + 1),
  }));
  const isDeep = deps.backlog.known().batches > maxJobs.all && queued > maxJobs.ofCaller;
  const addJobs = once(async () => {
    if (isDeep) return;
    try {
      await withRedis(() => deps.queues['ingest-entries'].addAll(jobs));
    } catch (error) {
      const fields = { request_id: requests[0].id, ...errorFields(error) };
      deps.log.warn('jobs of accepted entries not added: the sweep adds them', fields);
      throw error;
    }
  });
  const id = rows[0]?._id ?? identity.idOf(0);
  const findKnown = once(async () => (identity.isRepeat ? findProcessed(id, deps) : null));
  return {
    id,
    addJob: async () => {
      const known = await findKnown();
      if (!known) await addJobs().catch(() => {});
      return known;
    },
    processed: once(async () => (await findKnown()) ?? waitForBatch(id, addJobs, deps)),
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

async function rowOf(
  { scenarioId, receivedAt, requests, caller, identity: { fingerprint } }: EntriesToAccept,
  { id, count, entries }: Pick<BatchToStore, 'entries'> & { id: string; count: number },
  { config }: AcceptDeps,
): Promise<LogBatch> {
  const text = await encryptBatch(config.keys.entries, { receivedAt, entries }, id);
  return {
    _id: id,
    scenarioId,
    caller: caller.limitKey,
    ...(fingerprint === undefined ? {} : { fingerprint }),
    state: 'queued',
    receivedAt: new Date(receivedAt),
    requestId: requests[0].id,
    ...(requests.length === 1 ? {} : { requests }),
    count,
    bytes: Math.max(leastBatchBytes, text.length),
    text,
    counted: false,
  };
}

/**
 * Inserts the rows that are not in the database. With a key, the first decides whether the request
 * is that of the other rows.
 */
async function insertRows(rows: readonly LogBatch[], { models: { logBatch } }: AcceptDeps): Promise<void> {
  const [first, ...others] = rows;
  if (!first) return;
  await insertMissing(logBatch, [first]);
  if (others.length === 0) return;
  try {
    await insertMissing(logBatch, others);
  } catch (error) {
    // A repeat without a key has other ids, so what is left of this request would count beside it.
    const ids = rows.map(({ _id }) => _id);
    if (first.fingerprint === undefined)
      await logBatch.deleteMany({ _id: { $in: ids }, state: 'queued' }).catch(() => {});
    throw error;
  }
}

async function insertMissing(logBatch: Models['logBatch'], rows: readonly LogBatch[]): Promise<void> {
  try {
    // By the driver: Mongoose takes longer than the database.
    const [only] = rows;
    if (rows.length === 1) await logBatch.collection.insertOne(only as never);
    else await logBatch.collection.insertMany(rows as never, { ordered: false });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const ids = rows.map(({ _id }) => _id as never);
    const options = { projection: { fingerprint: 1 }, readConcern: majority };
    const known = await logBatch.collection.find({ _id: { $in: ids } }, options).toArray();
    if (known.length < rows.length) throw unavailable('The entries of an earlier request are not settled.', 2, error);
    for (const row of known) requireSame(row['fingerprint'] as string | undefined, rows[0]?.fingerprint);
  }
}

/** @throws AppError IDEMPOTENCY_MISMATCH */
export function requireSame(known: string | undefined, fingerprint: string | undefined): void {
  if (known === fingerprint) return;
  throw new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was sent with another request before.');
}

async function waitForBatch(
  id: string,
  addJobs: () => Promise<void>,
  deps: AcceptDeps,
): Promise<ProcessedLogBatch | null> {
  // Without Redis, there is nothing to wait for.
  const outcome = await deps.waitForJob('ingest-entries', id, deps.config.ingest.waitMs, addJobs).catch(() => null);
  if (outcome?.state === 'completed' && outcome.result.batch) return outcome.result.batch;
  if (outcome === null) return null;
  return findProcessed(id, deps);
}

/** @returns null if it is not processed or cannot be read. Its entries are accepted in any case. */
async function findProcessed(id: string, { models }: AcceptDeps): Promise<ProcessedLogBatch | null> {
  const row = await findLogBatch(models.logBatch, id).catch(() => null);
  return row?.state === 'stored' ? row : null;
}
