import type { Queues } from '../../shared/all-queues.ts';
import { minute, second } from '../../shared/durations.ts';
import type { FileStores } from '../../shared/files/file-store.ts';
import { ingestJobOptions } from '../../shared/ingest/ingest-entries.queue.ts';
import type { IngestOverflow } from '../../shared/ingest/ingest-overflow.ts';
import {
  notQueued,
  type OverflowedBatch,
  type OverflowedBatchModel,
} from '../../shared/ingest/overflowed-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { countDelayedJobs, countDueJobs } from '../../shared/queues/count-jobs.ts';
import { endOf } from '../../shared/queues/job-failure.ts';
import type { SweepDeps } from '../jobs/define-processor.ts';

interface Deps {
  models: Pick<Models, 'overflowedBatch'>;
  queues: Queues;
  overflow: IngestOverflow;
  files: Pick<FileStores, 'name'>;
}

/** The queue is filled up to this number: enough for the workers until the next check. */
const enoughJobs = 64;
/**
 * Jobs of overflowed batches in Redis, including those that wait for a retry. An owner whose
 * batches fail again and again stops only its own; the sum bounds what an outage of the store puts
 * into Redis.
 */
const maxQueued = { ofOwner: 256, ofAll: 4096 };
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
      const { isHeldBack } = await queueOverflowed(deps);
      if (!isHeldBack && (await deps.overflow.usage.read()).batches > 0) pause = busyPause;
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
 * @returns whether no owner may have further jobs, because those that it has are not processed.
 */
export async function queueOverflowed({
  models: { overflowedBatch: model },
  queues,
  overflow,
  files,
}: Deps): Promise<{ isHeldBack: boolean }> {
  const { owners } = await overflow.usage.read();
  if (owners.size === 0) return { isHeldBack: false };
  const due = await countDueJobs(queues, 'ingest-entries');
  const free = enoughJobs - due;
  // Many at once, because each time costs the same.
  if (free < enoughJobs / 2) return { isHeldBack: false };
  const unfinished = due + (await countDelayedJobs(queues, 'ingest-entries'));
  // So few jobs of all owners are within the limit of one.
  const queued = unfinished + free <= maxQueued.ofOwner ? nothingQueued : await countQueued(model);
  const capacityOf = (owner: string) =>
    queued.all < maxQueued.ofAll ? maxQueued.ofOwner - (queued.ofOwner.get(owner) ?? 0) : 0;
  const oldestFirst = [...owners]
    .filter(([owner]) => capacityOf(owner) > 0)
    .sort(([, one], [, other]) => one.oldest - other.oldest)
    .slice(0, free);
  const share = Math.ceil(free / oldestFirst.length);
  for (const [owner, { batches: held }] of oldestFirst) {
    const oldest = await findOldest(model, { owner, store: files.name }, Math.min(share, capacityOf(owner)));
    if (oldest.length === 0) continue;
    await Promise.all(
      oldest.map(({ _id: batchId, scenarioId, requestId, count }) =>
        queues['ingest-entries'].add({ batchId, scenarioId, requestId, count }, ingestJobOptions(batchId, held)),
      ),
    );
    await model.updateMany({ _id: { $in: oldest.map(({ _id }) => _id) } }, { $set: { queuedAt: new Date() } });
  }
  return { isHeldBack: oldestFirst.length === 0 };
}

interface QueuedBatches {
  readonly all: number;
  readonly ofOwner: ReadonlyMap<string, number>;
}

const nothingQueued: QueuedBatches = { all: 0, ofOwner: new Map() };

/** The batches that have a job. It reads each of them, so it is called only if many jobs wait. */
async function countQueued(model: OverflowedBatchModel): Promise<QueuedBatches> {
  const ofOwner = new Map<string, number>();
  let all = 0;
  const hasJob = { queuedAt: { $gt: notQueued } };
  for await (const batch of model.collection.find(hasJob, { projection: { _id: 0, owner: 1 } })) {
    const owner = batch['owner'] as string;
    ofOwner.set(owner, (ofOwner.get(owner) ?? 0) + 1);
    all += 1;
  }
  return { ofOwner, all };
}

/** Only workers that use the store of a batch queue it. */
const findOldest = (model: OverflowedBatchModel, of: Pick<OverflowedBatch, 'owner' | 'store'>, limit: number) =>
  model
    .find({ queuedAt: notQueued, ...of })
    .sort({ createdAt: 1 })
    .limit(limit)
    .lean<OverflowedBatch[]>();

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
