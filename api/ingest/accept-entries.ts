import { isDuplicateKey, majority } from '../../shared/connections/mongo.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { leastBatchBytes } from '../../shared/ingest/backlog.ts';
import { type BatchToStore, encryptBatch } from '../../shared/ingest/batch-text.ts';
import { ingestJob } from '../../shared/ingest/ingest-entries.queue.ts';
import { findLogBatch, type LogBatch, type ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import type { Resources } from '../../shared/open-resources.ts';
import { errorFields } from '../../shared/process/log.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import type { RateLimiter } from '../http/access/rate-limiter.ts';
import type { Caller } from '../http/context.ts';
import type { WaitForJob } from '../jobs/wait-for-job.ts';
import { findScenario, requireRunning } from '../scenarios/scenarios.store.ts';
import { createIngestBudget } from './ingest-budget.ts';

type AcceptDeps = Resources & { waitForJob: WaitForJob };

/** The dependencies of the routes of this folder, created once per process. */
export type IngestDeps = ReturnType<typeof createIngestDeps>;

/** The ids of the batches of a request, and whether an earlier request has them already. */
export interface BatchIdentity {
  /** The same for every request with the key; otherwise new. */
  idOf(part: number): string;
  /** Hash of the address, headers and body; undefined without an `Idempotency-Key`. */
  readonly fingerprint: string | undefined;
  /** Whether the first batch is in the database: its entries are accepted. */
  readonly isRepeat: boolean;
}

/** A request whose entries are valid. */
interface RequestToAccept extends BatchToStore {
  readonly request: { scenarios: OwnedScenarios; scenarioId: string; caller: Caller; requestId: string };
  readonly identity: BatchIdentity;
}

/** A request that can be joined. */
interface Weighed {
  /** The number of its entries or, if that is more, of started `weighedBytes` of JSON; at least 10. */
  readonly weight: number;
}

/** Requests of one caller and one scenario. Several fit into one batch, and none has a key. */
type Group = readonly [RequestToAccept, ...RequestToAccept[]];

/** A request whose entries are in the database, and by what they are priced. */
export interface AcceptedRequest {
  readonly batch: Awaited<ReturnType<typeof storeEntries>>;
  /** The position of its first entry in the batch. */
  readonly first: number;
  readonly scenario: Scenario;
  readonly book: PriceBook;
}

/** Entries of one batch. */
export const batchEntries = 1000;
/** Queued batches: beyond both, the sweep of the workers adds the jobs, in order. */
const maxJobs = { all: 10_000, ofCaller: 100 };
/** In UTF-16 code units. */
const weighedBytes = 512;
/** Requests that are accepted together have at most 1,000 entries, and there are at most 100. */
const maxWeight = { request: 100, group: batchEntries };

export function createIngestDeps(deps: AcceptDeps, rateLimiter: RateLimiter) {
  const join = createJoiner<RequestToAccept & Weighed, AcceptedRequest>(
    (group) => acceptTogether(group, deps),
    maxWeight.group,
  );
  return {
    /**
     * Accepts the entries of a request: of a small one without an `Idempotency-Key` together with
     * other such requests of its caller, in one row. Once the rows are written, nothing fails.
     * @throws AppError NOT_FOUND; INVALID_STATE; SERVICE_UNAVAILABLE if the backlog is full or the
     * database is unreachable; IDEMPOTENCY_MISMATCH.
     */
    acceptRequest: async (accepted: RequestToAccept): Promise<AcceptedRequest> => {
      const { request, identity, entries } = accepted;
      if (identity.fingerprint === undefined && entries.length <= maxWeight.request) {
        const bytes = JSON.stringify(entries).length;
        const weight = Math.max(10, entries.length, Math.ceil(bytes / weighedBytes));
        const key = `${request.caller.id} ${request.caller.limitKey} ${request.scenarioId}`;
        if (weight <= maxWeight.request) return join(key, { ...accepted, weight });
      }
      const [alone] = await acceptTogether([accepted], deps);
      return alone as AcceptedRequest;
    },
    withIngestBudget: createIngestBudget(deps.config.ingest, rateLimiter),
  };
}

/** @throws AppError NOT_FOUND; INVALID_STATE, unless the entries were accepted before. */
export async function findTarget(
  { scenarios, scenarioId }: Pick<RequestToAccept['request'], 'scenarios' | 'scenarioId'>,
  { isRepeat }: BatchIdentity,
): Promise<Scenario> {
  const scenario = await findScenario(scenarios, scenarioId);
  if (!isRepeat) requireRunning(scenario);
  return scenario;
}

/** The scenario is read after all requests have arrived. */
async function acceptTogether(group: Group, deps: AcceptDeps): Promise<AcceptedRequest[]> {
  const [{ request, identity }] = group;
  const scenario = await findTarget(request, identity);
  // Read first, because nothing may fail once the entries are accepted.
  const book = await deps.priceBooks.ofScenario(scenario);
  const batch = await storeEntries(group, deps);
  let next = 0;
  return group.map(({ entries }) => {
    const first = next;
    next += entries.length;
    return { batch, first, scenario, book };
  });
}

/** @returns the first batch of the group, and how to wait until it is processed. */
async function storeEntries(group: Group, deps: AcceptDeps) {
  const [{ request, identity }] = group;
  const rows = await createRows(group, deps);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const queued = identity.isRepeat ? 0 : await deps.backlog.reserve(request.caller.limitKey, rows.length, bytes);
  await insertRows(rows, deps);
  const jobs = rows.map((row, at) => ingestJob(row, queued + at + 1));
  const isDeep = deps.backlog.known().batches > maxJobs.all && queued > maxJobs.ofCaller;
  const addJobs = once(async () => {
    if (isDeep) return;
    try {
      await withRedis(() => deps.queues['ingest-entries'].addAll(jobs));
    } catch (error) {
      const fields = { request_id: request.requestId, ...errorFields(error) };
      deps.log.warn('jobs of accepted entries not added: the sweep adds them', fields);
      throw error;
    }
  });
  const [{ _id: id }] = rows;
  const findKnown = once(async () => (identity.isRepeat ? findProcessed(id, deps) : null));
  return {
    id,
    /** Does not fail: the sweep adds a missing job. @returns the batch of a processed repeat. */
    addJob: async () => {
      const known = await findKnown();
      if (!known) await addJobs().catch(() => {});
      return known;
    },
    /**
     * Adds its job, and waits until a worker has processed the batch. All its requests wait
     * together.
     * @returns null if that takes more than `INGEST_WAIT_MS`, the last attempt has failed, or the
     * scenario is deleted.
     */
    processed: once(async () => (await findKnown()) ?? waitForBatch(id, addJobs, deps)),
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

/** A row for each batch of the entries of a group. */
async function createRows(group: Group, { config }: AcceptDeps): Promise<[LogBatch, ...LogBatch[]]> {
  const [{ request, identity }] = group;
  const { scenarioId, caller, requestId } = request;
  // An entry's position in its request is not that in the batch.
  const joined = () => group.flatMap((one) => one.entries.map((entry) => ({ ...entry, index: undefined })));
  const { receivedAt, entries } = group.length === 1 ? group[0] : { receivedAt: Date.now(), entries: joined() };
  const rows: LogBatch[] = [];
  for (let start = 0; start < entries.length; start += batchEntries) {
    const id = identity.idOf(rows.length);
    const part = entries.slice(start, start + batchEntries);
    const text = await encryptBatch(config.keys.entries, { receivedAt, entries: part }, id);
    rows.push({
      _id: id,
      scenarioId,
      caller: caller.limitKey,
      ...(identity.fingerprint === undefined ? {} : { fingerprint: identity.fingerprint }),
      state: 'queued',
      receivedAt: new Date(receivedAt),
      requestId,
      ...(group.length > 1 && {
        requests: group.map((one) => ({ id: one.request.requestId, count: one.entries.length })),
      }),
      count: part.length,
      bytes: Math.max(leastBatchBytes, text.length),
      text,
      counted: false,
    });
  }
  return rows as [LogBatch, ...LogBatch[]];
}

/** Inserts missing rows; with a key, the first shows whether the request is the same. */
async function insertRows(rows: readonly [LogBatch, ...LogBatch[]], { models }: AcceptDeps): Promise<void> {
  const { logBatch } = models;
  const [first, ...others] = rows;
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

async function waitForBatch(id: string, addJobs: () => Promise<void>, deps: AcceptDeps) {
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

/**
 * Joins requests that arrive while others of the same key are being accepted: they are accepted
 * together, once that has ended. None waits for a timer, and a lone request waits for nothing.
 * @param accept accepts a group. @returns what each of its requests gets, in their order. An error
 * is that of all of them.
 * @param maxWeight of a group of several requests.
 */
export function createJoiner<Part extends Weighed, Accepted>(
  accept: (group: readonly [Part, ...Part[]]) => Promise<readonly Accepted[]>,
  maxWeight: number,
): (key: string, part: Part) => Promise<Accepted> {
  interface Waiting {
    readonly part: Part;
    readonly resolve: (accepted: Accepted) => void;
    readonly reject: (error: unknown) => void;
  }
  const queues = new Map<string, Waiting[]>();
  const acceptAll = async (key: string, waiting: Waiting[]) => {
    for (let [first] = waiting; first; [first] = waiting) {
      let weight = 0;
      const end = waiting.findIndex(({ part }, at) => (weight += part.weight) > maxWeight && at > 0);
      const group = waiting.splice(0, end === -1 ? waiting.length : end);
      try {
        const accepted = await accept([first.part, ...group.slice(1).map(({ part }) => part)]);
        for (const [at, { resolve }] of group.entries()) resolve(accepted[at] as Accepted);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    queues.delete(key);
  };

  return (key, part) =>
    new Promise((resolve, reject) => {
      const request = { part, resolve, reject };
      const waiting = queues.get(key);
      if (waiting) waiting.push(request);
      else {
        const queue = [request];
        queues.set(key, queue);
        void acceptAll(key, queue);
      }
    });
}
