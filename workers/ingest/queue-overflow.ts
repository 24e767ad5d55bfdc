import type { Queues } from '../../shared/all-queues.ts';
import { minute, second } from '../../shared/durations.ts';
import { ingestJobOptions } from '../../shared/ingest/ingest-entries.queue.ts';
import type { IngestOverflow } from '../../shared/ingest/ingest-overflow.ts';
import {
  notQueued,
  type OverflowedBatch,
  type OverflowedBatchModel,
} from '../../shared/ingest/overflowed-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { countDueJobs } from '../../shared/queues/count-due-jobs.ts';
import { endOf } from '../../shared/queues/job-failure.ts';
import type { SweepDeps } from '../jobs/define-processor.ts';

interface Deps {
  models: Pick<Models, 'overflowedBatch'>;
  queues: Queues;
  overflow: IngestOverflow;
}

/** The queue is filled up to this number: enough for the workers until the next check. */
const enoughJobs = 64;
/** Jobs of overflowed batches in Redis, including those that wait for a retry. */
const maxQueued = 256;
const busyPause = 0.05 * second;
const idlePause = 1 * second;

/**
 * Adds the jobs of overflowed batches while the queue has few. @returns a function that ends it.
 */
export function startQueueingOverflow({ log, ...deps }: Deps & { log: Log }): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const run = async () => {
    let pause = idlePause;
    try {
      await queueOverflowed(deps);
      if ((await deps.overflow.usage.read()).batches > 0) pause = busyPause;
    } catch (error) {
      log.warn('overflowed batches not queued', errorFields(error));
    }
    if (!isEnded) timer = setTimeout(() => void run(), pause);
  };
  void run();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

/**
 * Adds jobs, the oldest of each owner first. All workers do it at the same time: a job that exists
 * is not added again.
 */
export async function queueOverflowed({ models: { overflowedBatch: model }, queues, overflow }: Deps): Promise<void> {
  const { owners } = await overflow.usage.read();
  if (owners.size === 0) return;
  const free = enoughJobs - (await countDueJobs(queues, 'ingest-entries'));
  // Many at once, because each time costs the same.
  if (free < enoughJobs / 2 || (await model.countDocuments(hasJob)) >= maxQueued) return;
  const oldestFirst = [...owners].sort(([, one], [, other]) => one.oldest - other.oldest).slice(0, free);
  const share = Math.ceil(free / oldestFirst.length);
  for (const [owner, { batches: held }] of oldestFirst) {
    const due = await findOldest(model, owner, share);
    if (due.length === 0) continue;
    await Promise.all(
      due.map(({ _id: batchId, scenarioId, requestId, count }) =>
        queues['ingest-entries'].add({ batchId, scenarioId, requestId, count }, ingestJobOptions(batchId, held)),
      ),
    );
    await model.updateMany({ _id: { $in: due.map(({ _id }) => _id) } }, { $set: { queuedAt: new Date() } });
  }
}

const hasJob = { queuedAt: { $gt: notQueued } };

const findOldest = (model: OverflowedBatchModel, owner: string, limit: number) =>
  model.find({ queuedAt: notQueued, owner }).sort({ createdAt: 1 }).limit(limit).lean<OverflowedBatch[]>();

/**
 * Has the jobs added again that Redis has lost, or that have ended without the removal of their
 * batch.
 */
export async function sweepOverflow({ models: { overflowedBatch: model }, queues }: SweepDeps): Promise<void> {
  const before = new Date(Date.now() - minute);
  const queued = await model
    .find({ queuedAt: { $gt: notQueued, $lt: before } }, { _id: 1, queuedAt: 1 })
    .lean<OverflowedBatch[]>();
  for (const { _id, queuedAt } of queued) {
    const job = await queues['ingest-entries'].findJob(_id);
    if (job && !endOf(job)) continue;
    // Another worker can do the same.
    await job?.remove().catch(() => {});
    await model.updateOne({ _id, queuedAt }, { $set: { queuedAt: notQueued } });
  }
}
