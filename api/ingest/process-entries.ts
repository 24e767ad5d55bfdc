import type { Queues } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import type { Replication } from '../../shared/connections/replication.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { ingestJobOptions } from '../../shared/ingest/ingest-entries.queue.ts';
import type { IngestOverflow } from '../../shared/ingest/ingest-overflow.ts';
import type { IngestSpool, SpoolLimit } from '../../shared/ingest/ingest-spool.ts';
import { findLogBatch, type LogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { BatchToSpool } from '../../shared/ingest/spooled-batch.ts';
import type { Models } from '../../shared/models.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { WaitForJob } from '../jobs/wait-for-job.ts';
import { wrongStatus } from '../scenarios/scenario-store.ts';
import { shareUsed } from './ingest-budget.ts';
import { findLostBatches } from './lost-batches.ts';

/** Dependencies of what enqueues log entries. */
export interface EnqueueDeps {
  models: Pick<Models, 'logBatch' | 'usageRecord' | 'overflowedBatch'>;
  spool: IngestSpool;
  overflow: IngestOverflow;
  queues: Queues;
  waitForJob: WaitForJob;
  replication: Replication;
  config: Pick<Config, 'ingest'>;
}

/**
 * Writes the entries to the spool, adds a job without their text to the queue, and waits until a
 * worker has processed it. Entries for which Redis has no capacity overflow: a worker adds their
 * job.
 * @param toSpool is left without its entries once they are stored.
 * @param permission rejects if the scenario takes no entries, so that no job is added. The entries
 * are written to the spool before it is known.
 * @param job.batchId id of the batch that the worker writes, and of the job.
 * @param options.attemptedBefore whether an earlier request can have processed the same batch.
 * @returns the batch, or null if it is not processed yet, because `wait` is false or the wait has
 * reached its limit.
 * @throws the error of `permission`; AppError with the job's failure; NOT_FOUND if the scenario was
 * deleted before the entries were processed; SERVICE_UNAVAILABLE if neither has capacity.
 */
export async function processEntries(
  job: { batchId: string; scenarioId: string; requestId: string; count: number },
  toSpool: BatchToSpool,
  permission: Promise<unknown>,
  options: { wait: boolean; attemptedBefore: boolean; owner?: string },
  deps: EnqueueDeps,
): Promise<LogBatch | null> {
  const { models, spool, overflow, queues, waitForJob, config } = deps;
  const { batchId, scenarioId } = job;
  const confirm = deps.replication.begin();
  let toConfirm = [batchId];
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
    const isHeldBack = overflow.holdsBack(options.owner);
    const writing = isHeldBack
      ? Promise.resolve('share' as const)
      : withRedis(() => spool.write(batchId, toSpool, config.ingest.backlog, options.owner));
    writing.catch(() => {});
    try {
      await permission;
    } catch (error) {
      // A batch that is not removed here has no job, and the backlog removes it.
      await writing.then(() => spool.clear(batchId)).catch(() => {});
      throw error;
    }
    const held = await writing;
    if (typeof held === 'string') await overflowOrThrow([{ job, batch: toSpool }], held, options.owner, deps);
    // The wait for a worker can be long, and garbage collection during it would copy every entry.
    toSpool.entries = [];
    if (typeof held === 'string') {
      // MongoDB has what overflows; no replica of Redis is needed for it.
      toConfirm = [];
      return;
    }
    await withRedis(() => queues['ingest-entries'].add(job, ingestJobOptions(batchId, held)));
  };
  if (!options.wait) {
    await enqueue();
    await confirm(toConfirm);
    return null;
  }
  const outcome = await waitForJob('ingest-entries', batchId, config.ingest.waitMs, enqueue);
  if (outcome.state === 'failed') throw outcome.error;
  if (outcome.state === 'pending') {
    await confirm(toConfirm);
    return null;
  }
  const batch = outcome.result.batch ?? (await findLogBatch(models.logBatch, batchId));
  if (!batch) throw new AppError('NOT_FOUND', `Scenario ${scenarioId} was deleted before the entries were processed.`);
  return batch;
}

/**
 * Stores the batches of a request for which the spool has no capacity.
 * @param limit the limit of the spool that they would exceed.
 * @throws AppError as `spoolFull`, if the overflow has no capacity either.
 */
export async function overflowOrThrow(
  batches: Parameters<IngestOverflow['write']>[0],
  limit: SpoolLimit,
  owner: string | undefined,
  { overflow, config }: Pick<EnqueueDeps, 'overflow' | 'config'>,
): Promise<void> {
  const exceeded = await overflow.write(batches, owner);
  if (exceeded) throw refusalOf(limit, exceeded, config);
}

/** Without an overflow, the limit of the spool is the reason. */
const refusalOf = (limit: SpoolLimit, exceeded: 'overflow' | 'share', { ingest }: EnqueueDeps['config']) =>
  spoolFull(ingest.maxOverflowBytes === 0 ? limit : exceeded);

/** Milliseconds for which a spool with capacity is not checked again. */
const checkInterval = 100;

/**
 * Creates the function that refuses a request before its body is read, if the spool and
 * the overflow are full. Its check may be 100 ms old; `spool.write` checks again.
 * @returns a function that throws AppError SERVICE_UNAVAILABLE.
 */
export function createCapacityCheck({
  spool,
  overflow,
  config,
}: Pick<EnqueueDeps, 'spool' | 'overflow' | 'config'>): (owner: string | undefined) => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<SpoolLimit | null> | undefined;
  const check = async () => {
    const now = performance.now();
    const limit = await withRedis(() => spool.findFullLimit(config.ingest.backlog));
    if (!limit) checkedAt = now;
    return limit;
  };
  return async (owner) => {
    if (performance.now() - checkedAt < checkInterval) return;
    checking ??= check().finally(() => {
      checking = undefined;
    });
    const limit = await checking;
    const exceeded = limit && (await overflow.findFullLimit(owner));
    if (limit && exceeded) throw refusalOf(limit, exceeded, config);
  };
}

const spoolFullMessages: Record<Exclude<SpoolLimit, 'share'> | 'overflow', string> = {
  batches: 'Too many log entries are waiting to be processed; send these again later.',
  bytes: 'The log entries that wait to be processed use all of the memory for them; send these again later.',
  overflow: 'Too many log entries are waiting to be processed; send these again later.',
  memory: 'The queue is short of memory; send these log entries again later.',
};

const retryAfter = 5;

/**
 * RATE_LIMITED if the caller itself uses too much of the spool, otherwise SERVICE_UNAVAILABLE.
 */
function spoolFull(limit: SpoolLimit | 'overflow'): AppError {
  if (limit !== 'share') return unavailable(spoolFullMessages[limit], retryAfter);
  return new AppError(
    'RATE_LIMITED',
    'Half of the log entries that can wait to be processed are of this caller; send these again later.',
    { details: [{ retry_after: retryAfter }], headers: { 'Retry-After': String(retryAfter) }, cause: shareUsed },
  );
}

export function requireRunning(scenario: Scenario): void {
  if (scenario.status !== 'running') throw wrongStatus(scenario, 'take log entries', 'running');
}
