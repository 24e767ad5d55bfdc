import { withRedis } from '../../shared/connections/redis.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import type { BacklogObstacle } from '../../shared/ingest/ingest-backlog.ts';
import { findLogBatch, type LogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { BatchToSpool } from '../../shared/ingest/spooled-batch.ts';
import { maxPriority } from '../../shared/queues/define-queue.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { shareUsed } from './ingest-budget.ts';
import { findLostBatches } from './lost-batches.ts';

type Deps = Pick<RouteDeps, 'models' | 'spool' | 'queues' | 'waitForJob' | 'config'>;

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
 * deleted before the entries were processed; SERVICE_UNAVAILABLE if there is no room for the
 * entries.
 */
export async function processEntries(
  job: { batchId: string; scenarioId: string; requestId: string; count: number },
  toSpool: BatchToSpool,
  permission: Promise<unknown>,
  options: { wait: boolean; attemptedBefore: boolean; owner?: string },
  deps: Deps,
): Promise<LogBatch | null> {
  const { models, spool, queues, waitForJob, config } = deps;
  const { batchId, scenarioId } = job;
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
    if (typeof held === 'string') throw backlogFull(held);
    // The wait for a worker can be long, and a collection of garbage meanwhile would copy every
    // entry.
    toSpool.entries = [];
    await withRedis(() => queues['ingest-entries'].add(job, ingestJobOptions(batchId, held)));
  };
  if (!options.wait) {
    await enqueue();
    return null;
  }
  const outcome = await waitForJob('ingest-entries', batchId, config.ingest.waitMs, enqueue);
  if (outcome.state === 'failed') throw outcome.error;
  if (outcome.state === 'pending') return null;
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

/** Time for which a backlog that had room is not looked at again, in milliseconds. */
const roomTime = 100;

/**
 * Creates the function that refuses a request before its body is read, if there is no room for
 * another batch. It can miss that the room was taken just now; to store a batch is refused in any
 * case then.
 * @returns a function that throws AppError SERVICE_UNAVAILABLE.
 */
export function createRoomCheck({ spool, config }: Pick<Deps, 'spool' | 'config'>): () => Promise<void> {
  let lastRoomAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  const look = async () => {
    const now = performance.now();
    const obstacle = await withRedis(() => spool.findObstacle(config.ingest.backlog));
    if (obstacle) throw backlogFull(obstacle);
    lastRoomAt = now;
  };
  return async () => {
    if (performance.now() - lastRoomAt < roomTime) return;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    await looking;
  };
}

const backlogFullMessages: Record<Exclude<BacklogObstacle, 'share'>, string> = {
  batches: 'Too many log entries are waiting to be processed; send these again later.',
  bytes: 'The log entries that wait to be processed use all of the memory for them; send these again later.',
  memory: 'The queue is short of memory; send these log entries again later.',
};

const retryAfter = 5;

/**
 * RATE_LIMITED if the caller itself uses too much of the backlog, otherwise SERVICE_UNAVAILABLE.
 */
export function backlogFull(obstacle: BacklogObstacle): AppError {
  if (obstacle !== 'share') return unavailable(backlogFullMessages[obstacle], retryAfter);
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
