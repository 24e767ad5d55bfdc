import type { Queues } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import type { Replication } from '../../shared/connections/replication.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import type { IngestSpool, SpoolLimit } from '../../shared/ingest/ingest-spool.ts';
import { findLogBatch, type LogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { BatchToSpool } from '../../shared/ingest/spooled-batch.ts';
import type { Models } from '../../shared/models.ts';
import { maxPriority } from '../../shared/queues/define-queue.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { WaitForJob } from '../jobs/wait-for-job.ts';
import { shareUsed } from './ingest-budget.ts';
import { findLostBatches } from './lost-batches.ts';

/** Dependencies of what enqueues log entries. */
export interface EnqueueDeps {
  models: Pick<Models, 'logBatch' | 'usageRecord'>;
  spool: IngestSpool;
  queues: Queues;
  waitForJob: WaitForJob;
  replication: Replication;
  config: Pick<Config, 'ingest'>;
}

/**
 * Writes the entries to the spool, adds a job without their text to the queue, and waits until a
 * worker has processed it.
 * @param toSpool is left without its entries once they are in the spool.
 * @param permission rejects if the scenario takes no entries, so that no job is added. The entries
 * are written to the spool before it is known.
 * @param job.batchId id of the batch that the worker writes, and of the job.
 * @param options.attemptedBefore whether an earlier request can have processed the same batch.
 * @returns the batch, or null if it is not processed yet, because `wait` is false or the wait has
 * reached its limit.
 * @throws the error of `permission`; AppError with the job's failure; NOT_FOUND if the scenario was
 * deleted before the entries were processed; SERVICE_UNAVAILABLE if the spool is full.
 */
export async function processEntries(
  job: { batchId: string; scenarioId: string; requestId: string; count: number },
  toSpool: BatchToSpool,
  permission: Promise<unknown>,
  options: { wait: boolean; attemptedBefore: boolean; owner?: string },
  deps: EnqueueDeps,
): Promise<LogBatch | null> {
  const { models, spool, queues, waitForJob, config } = deps;
  const { batchId, scenarioId } = job;
  const confirm = deps.replication.begin();
  let isLost = true;
  if (options.attemptedBefore) {
    // The entries in the spool can be those of an earlier request, whose job needs them.
    await permission;
    isLost = (await findLostBatches([batchId], deps)).has(batchId);
    const earlier = isLost ? null : await findLogBatch(models.logBatch, batchId);
    if (earlier) return earlier;
  }
  const enqueue = async () => {
    if (!isLost) return;
    const writing = withRedis(() => spool.write(batchId, toSpool, config.ingest.backlog, options.owner));
    writing.catch(() => {});
    try {
      await permission;
    } catch (error) {
      // A batch that is not removed here has no job, and the backlog removes it.
      await writing.then(() => spool.clear(batchId)).catch(() => {});
      throw error;
    }
    const held = await writing;
    if (typeof held === 'string') throw spoolFull(held);
    // The wait for a worker can be long, and garbage collection during it would copy every entry.
    toSpool.entries = [];
    await withRedis(() => queues['ingest-entries'].add(job, ingestJobOptions(batchId, held)));
  };
  if (!options.wait) {
    await enqueue();
    await confirm([batchId]);
    return null;
  }
  const outcome = await waitForJob('ingest-entries', batchId, config.ingest.waitMs, enqueue);
  if (outcome.state === 'failed') throw outcome.error;
  if (outcome.state === 'pending') {
    await confirm([batchId]);
    return null;
  }
  const batch = outcome.result.batch ?? (await findLogBatch(models.logBatch, batchId));
  if (!batch) throw new AppError('NOT_FOUND', `Scenario ${scenarioId} was deleted before the entries were processed.`);
  return batch;
}

/** Batches of an owner whose jobs have no priority. */
const unrankedBatches = 8;

/**
 * The options of the job of a stored batch. BullMQ runs jobs without a priority first, then those
 * of the lowest number: so an owner of few batches does not wait for those of an owner of many, and
 * owners of many take turns.
 * @param held number of batches that the owner has in the spool, with this one.
 */
export const ingestJobOptions = (batchId: string, held: number): { jobId: string; priority?: number } =>
  held > unrankedBatches ? { jobId: batchId, priority: Math.min(held, maxPriority) } : { jobId: batchId };

/** Milliseconds for which a spool with capacity is not checked again. */
const checkInterval = 100;

/**
 * Creates the function that refuses a request before its body is read, if the spool is full. Its
 * check may be 100 ms old; `spool.write` checks again.
 * @returns a function that throws AppError SERVICE_UNAVAILABLE.
 */
export function createCapacityCheck({ spool, config }: Pick<EnqueueDeps, 'spool' | 'config'>): () => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  const check = async () => {
    const now = performance.now();
    const limit = await withRedis(() => spool.findFullLimit(config.ingest.backlog));
    if (limit) throw spoolFull(limit);
    checkedAt = now;
  };
  return async () => {
    if (performance.now() - checkedAt < checkInterval) return;
    checking ??= check().finally(() => {
      checking = undefined;
    });
    await checking;
  };
}

const spoolFullMessages: Record<Exclude<SpoolLimit, 'share'>, string> = {
  batches: 'Too many log entries are waiting to be processed; send these again later.',
  bytes: 'The log entries that wait to be processed use all of the memory for them; send these again later.',
  memory: 'The queue is short of memory; send these log entries again later.',
};

const retryAfter = 5;

/**
 * RATE_LIMITED if the caller itself uses too much of the spool, otherwise SERVICE_UNAVAILABLE.
 */
export function spoolFull(limit: SpoolLimit): AppError {
  if (limit !== 'share') return unavailable(spoolFullMessages[limit], retryAfter);
  return new AppError(
    'RATE_LIMITED',
    'Half of the log entries that can wait to be processed are of this caller; send these again later.',
    { details: [{ retry_after: retryAfter }], headers: { 'Retry-After': String(retryAfter) }, cause: shareUsed },
  );
}

export function requireRunning({ _id: id, status }: Scenario): void {
  if (status !== 'running') {
    throw new AppError('INVALID_STATE', `Scenario ${id} is ${status}; to take log entries, it must be running.`);
  }
}
