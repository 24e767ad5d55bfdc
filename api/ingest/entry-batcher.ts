import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { withRedis } from '../../shared/connections/redis.ts';
import { digestUuid } from '../../shared/crypto/digest-uuid.ts';
import { AppError } from '../../shared/errors.ts';
import { ingestJobOptions } from '../../shared/ingest/ingest-entries.queue.ts';
import type { SpoolLimit } from '../../shared/ingest/ingest-spool.ts';
import { inStripeOf } from '../../shared/queues/stripes.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import type { Caller, Operation } from '../http/context.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import type { LogEntryInput } from './ingest.schemas.ts';
import { findLostBatches, findUncounted, receiptTimeOf } from './lost-batches.ts';
import { type EnqueueDeps, overflowOrThrow, requireRunning } from './process-entries.ts';

/** Entries of a running scenario, and whose request they are of. */
interface EntriesRequest {
  readonly scenarioId: string;
  readonly scenarios: OwnedScenarios;
  readonly requestId: string;
  readonly operation: Operation | undefined;
  readonly caller: Pick<Caller, 'limitKey'>;
}

/**
 * Enqueues entries without waiting for a worker. A lone request is stored at once. Small requests
 * that arrive while it is being stored become one job, so that a sender of one entry per request
 * costs little.
 */
export interface EntryBatcher {
  /**
   * Resolves when the entries are in the spool and their jobs in the queue, or when they have
   * overflowed. If it fails, no job was added, unless its error is one of a lost connection to
   * Redis or to MongoDB.
   * @throws AppError NOT_FOUND, INVALID_STATE, SERVICE_UNAVAILABLE.
   */
  enqueue(request: EntriesRequest, entries: readonly LogEntryInput[]): Promise<void>;
  /**
   * Enqueues entries and waits until the database has them, for each job at most `limitMs`.
   * @returns whether the database has all of them.
   * @throws AppError as `enqueue`, and with the failure of a job.
   */
  enqueueAndWait(request: EntriesRequest, entries: readonly LogEntryInput[], limitMs: number): Promise<boolean>;
}

/** Entries that are being queued. */
interface Enqueueing {
  /** The batches that have the entries; those of a group have entries of other requests too. */
  readonly batchIds: readonly string[];
  readonly queued: Promise<InRedis>;
}

/** The ids of the batches that only Redis has. MongoDB has those that have overflowed. */
type InRedis = readonly string[];

/** Entries of one job. */
const batchEntries = 1000;
/** A request of more entries, or of a longer text, has jobs of its own. */
const mergedEntries = 100;
const mergedText = 64 * 1024;

/** The entries of one job. */
interface Batch {
  readonly id: string;
  readonly entries: readonly LogEntryInput[];
}

/** Requests that share one job. */
interface Group {
  readonly id: string;
  readonly first: EntriesRequest;
  readonly entries: LogEntryInput[];
  readonly queued: Promise<InRedis>;
  settle(queueing: Promise<InRedis>): void;
  /**
   * Runs the storing in the context of the first request: its log fields, and its limit of waiting.
   */
  readonly run: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

export function createEntryBatcher(deps: EnqueueDeps): EntryBatcher {
  const { newId } = deps.queues['ingest-entries'];
  const join = createLanes((request, batch) => enqueueBatches(request, [batch], deps), newId);

  const begin = (request: EntriesRequest, entries: readonly LogEntryInput[]): Enqueueing => {
    if (entries.length === 0) return { batchIds: [], queued: checkTarget(request).then(() => []) };
    const isSmall = entries.length <= mergedEntries && textLength(entries) <= mergedText;
    if (isSmall && !request.operation) return join(request, entries);
    const batches = inBatches(entries, request.operation, newId);
    return { batchIds: idsOf(batches), queued: enqueueBatches(request, batches, deps) };
  };

  return {
    enqueue: async (request, entries) => {
      const confirm = deps.replication.begin();
      const { queued } = begin(request, entries);
      await confirm(await queued);
    },
    enqueueAndWait: async (request, entries, limitMs) => {
      const confirm = deps.replication.begin();
      const { batchIds, queued } = begin(request, entries);
      let awaited = batchIds;
      if (request.operation?.attemptedBefore) {
        await queued;
        awaited = [...(await findUncounted(batchIds, deps))];
      }
      // Listening starts before the jobs are added, so that none of their ends is missed.
      const outcomes = await Promise.all(
        awaited.map((id) => deps.waitForJob('ingest-entries', id, limitMs, async () => void (await queued))),
      );
      const inRedis = await queued;
      for (const outcome of outcomes) if (outcome.state === 'failed') throw outcome.error;
      const pending = awaited.filter((_, index) => outcomes[index]?.state === 'pending');
      // The entries are queued, so a failed read is no reason to have them sent again.
      const uncounted = pending.length > 0 ? await findUncounted(pending, deps).catch(() => null) : new Set();
      const isStored = uncounted?.size === 0;
      // No replica of Redis is needed for entries that the database has.
      if (!isStored) await confirm(inRedis);
      return isStored;
    },
  };
}

/**
 * Creates a function that joins requests: while a group of a scenario and a caller is being
 * enqueued, their further entries are collected in the next one.
 */
function createLanes(enqueue: (first: EntriesRequest, batch: Batch) => Promise<InRedis>, newId: () => string) {
  const lanes = new Map<string, Group[]>();

  const empty = async (lane: string) => {
    const waiting = lanes.get(lane) ?? [];
    // The first request of a turn waits for the others of the turn.
    await Promise.resolve();
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      const { id, first, entries, run } = group;
      const queueing = run(() => enqueue(first, { id, entries }));
      group.settle(queueing);
      const isRefused = (error: unknown) => error instanceof AppError && error.status < 500;
      const isAvailable = await queueing.then(() => true, isRefused);
      // The others have waited as long, and would wait once more.
      if (!isAvailable) for (const next of waiting.splice(0)) next.settle(queueing);
    }
    lanes.delete(lane);
  };

  return (request: EntriesRequest, entries: readonly LogEntryInput[]): Enqueueing => {
    const lane = JSON.stringify([request.scenarioId, request.caller.limitKey, request.scenarios.visible]);
    const waiting = lanes.get(lane);
    let group = waiting?.at(-1);
    if (!group || group.entries.length + entries.length > batchEntries) {
      group = openGroup(newId(), request);
      if (waiting) waiting.push(group);
      else {
        lanes.set(lane, [group]);
        void empty(lane);
      }
    }
    group.entries.push(...entries);
    return { batchIds: [group.id], queued: group.queued };
  };
}

/**
 * Enqueues all batches or none. If the operation was attempted before, only lost batches are
 * enqueued again.
 */
async function enqueueBatches(request: EntriesRequest, batches: readonly Batch[], deps: EnqueueDeps): Promise<InRedis> {
  const { scenarioId, requestId, operation } = request;
  const attemptedBefore = operation?.attemptedBefore ?? false;
  const lost = attemptedBefore ? await findLostBatches(idsOf(batches), deps) : null;
  const missing = lost ? batches.filter(({ id }) => lost.has(id)) : batches;
  if (isAccepted(operation)) {
    if (missing.length === 0) return idsOf(batches);
    // Accepted entries are processed even if the scenario has been stopped since.
    await findScenario(request.scenarios, scenarioId);
  } else requireRunning(await findScenario(request.scenarios, scenarioId));
  const jobs = missing.map(({ id, entries }) => ({ batchId: id, scenarioId, requestId, count: entries.length }));
  const stored = await spoolBatches(request, missing, deps);
  if (typeof stored === 'string') {
    const receivedAt = receiptTimeOf(operation);
    const isMissing = new Set(idsOf(missing));
    const toOverflow = jobs.map((job, index) => ({
      job,
      batch: { receivedAt, entries: missing[index]?.entries ?? [] },
    }));
    await overflowOrThrow(toOverflow, stored, request.caller.limitKey, deps);
    return idsOf(batches).filter((id) => !isMissing.has(id));
  }
  await withRedis(() =>
    deps.queues['ingest-entries'].addAll(
      jobs.map((job) => ({ payload: job, options: ingestJobOptions(job.batchId, stored.get(job.batchId) ?? 0) })),
    ),
  );
  if (!attemptedBefore) return idsOf(batches);
  // A job of an earlier attempt can have ended by now, and reads no batch any more.
  const uncounted = await findUncounted([...stored.keys()], deps);
  for (const id of stored.keys()) if (!uncounted.has(id)) await deps.spool.clear(id);
  return idsOf(batches);
}

/**
 * Spools all batches or none.
 * @returns for each batch the number of batches that its owner has in the spool then; or the limit
 * that they would exceed.
 */
async function spoolBatches(
  { operation, caller }: EntriesRequest,
  batches: readonly Batch[],
  { spool, overflow, config }: EnqueueDeps,
): Promise<Map<string, number> | SpoolLimit> {
  if (overflow.holdsBack(caller.limitKey)) return 'share';
  const receivedAt = receiptTimeOf(operation);
  const stored = new Map<string, number>();
  // The job of another attempt can be waiting for its batch. A batch without a job is removed a
  // minute later.
  const clear = async () => {
    if (!operation) await Promise.allSettled([...stored.keys()].map((id) => spool.clear(id)));
  };
  try {
    for (const { id, entries } of batches) {
      const toSpool = { receivedAt, entries };
      const held = await withRedis(() => spool.write(id, toSpool, config.ingest.backlog, caller.limitKey));
      if (typeof held === 'string') {
        await clear();
        return held;
      }
      stored.set(id, held);
    }
  } catch (error) {
    await clear();
    throw error;
  }
  return stored;
}

async function checkTarget({ operation, scenarios, scenarioId }: EntriesRequest): Promise<void> {
  if (!isAccepted(operation)) requireRunning(await findScenario(scenarios, scenarioId));
}

/** Whether the entries of an operation were accepted by an earlier attempt. */
const isAccepted = (operation: Operation | undefined) =>
  operation !== undefined && operation.firstResponseStatus !== null;

const idsOf = (batches: readonly Batch[]) => batches.map(({ id }) => id);

function openGroup(id: string, first: EntriesRequest): Group {
  const { promise, resolve } = withResolver();
  const run = AsyncLocalStorage.snapshot();
  return { id, first, entries: [], queued: promise, settle: resolve, run };
}

function withResolver() {
  let resolve: (value: Promise<InRedis>) => void = () => {};
  const promise = new Promise<InRedis>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const textLength = (entries: readonly LogEntryInput[]) =>
  entries.reduce((length, { message }) => length + message.length, 0);

/**
 * Splits a request into jobs. Every attempt of an operation has the same jobs. They are in one
 * stripe, so that all are added or none.
 */
function inBatches(entries: readonly LogEntryInput[], operation: Operation | undefined, newId: () => string) {
  const batches: Batch[] = [];
  const first = operation?.id ?? newId();
  for (let start = 0; start < entries.length; start += batchEntries) {
    batches.push({
      id: operation ? batchIdOf(first, batches.length) : inStripeOf(first, randomUUID()),
      entries: entries.slice(start, start + batchEntries),
    });
  }
  return batches;
}

/** The first batch has the id of the operation, which is that of an operation of one batch too. */
const batchIdOf = (operationId: string, number: number) =>
  number === 0 ? operationId : inStripeOf(operationId, digestUuid(`${operationId} ${number}`));
