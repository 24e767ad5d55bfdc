// A task and a sweep of `ingest-entries.processor.ts`: batches without a job get one.
import type { Queues } from '../../shared/all-queues.ts';
import { minute, second } from '../../shared/durations.ts';
import type { Backlog } from '../../shared/ingest/backlog.ts';
import { type BatchOfJob, ingestJob } from '../../shared/ingest/ingest-entries.queue.ts';
import type { Models } from '../../shared/models.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { countJobs, dueStates } from '../../shared/queues/count-jobs.ts';
import { endOf } from '../../shared/queues/job-failure.ts';
import type { SweepDeps } from '../jobs/define-processor.ts';

interface Deps {
  models: Pick<Models, 'logBatch'>;
  queues: Queues;
  backlog: Backlog;
}

/** The most jobs that are added, so that Redis has few of a backlog of hours. */
const maxJobs = 10_000;
const pause = 1 * second;
/** A request adds its job in less time. */
const lateAfter = 2 * second;
/** Stray jobs can hide that others are missing, so all rows are checked so often. */
const fullCheckInterval = 1 * minute;

/**
 * Adds missing jobs of queued batches, regularly. A job is missing if the backlog was deep, a
 * request could not add it, or Redis has lost it. @returns a function that ends this.
 */
export function startAddingJobs({ log, ...deps }: Deps & { log: Log }): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const run = async () => {
    try {
      const isFull = performance.now() - checkedAt > fullCheckInterval;
      if (isFull || (await lacksJobs(deps))) {
        await addMissingJobs(deps);
        checkedAt = performance.now();
      }
    } catch (error) {
      log.warn('missing jobs of queued batches not added', errorFields(error));
    }
    if (!isEnded) timer = setTimeout(() => void run(), pause);
  };
  void run();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

/** Whether there are more rows than jobs, and Redis has few jobs. */
async function lacksJobs({ queues, backlog }: Deps): Promise<boolean> {
  const { batches } = await backlog.read();
  if (batches === 0) return false;
  const jobs = await countJobs(queues, 'ingest-entries', [...dueStates, 'delayed']);
  return jobs < Math.min(batches, maxJobs / 2);
}

/** Adds missing jobs, the oldest of each caller first. Any number of workers may do it. */
async function addMissingJobs({ models, queues, backlog }: Deps): Promise<void> {
  const { callers } = await backlog.read();
  const share = Math.max(1, Math.floor(maxJobs / Math.max(1, callers.size)));
  const receivedAt = { $lt: new Date(Date.now() - lateAfter) };
  for (const [caller, { batches }] of callers) {
    let ofCaller = 0;
    // The oldest can have jobs that wait for a retry.
    for await (const rows of rowsWithJobs(models, queues, { state: 'queued', caller, receivedAt }, 'receivedAt')) {
      const missing = rows.filter(({ job }) => !job || endOf(job));
      // The job of an attempt that could not write to the database. Another worker can do the same.
      await Promise.all(missing.map(async ({ job }) => job?.remove().catch(() => {})));
      await queues['ingest-entries'].addAll(missing.map(({ row }) => ingestJob(row, batches)));
      ofCaller += missing.length;
      if (ofCaller >= share) break;
    }
  }
}

/** Puts back the jobs of failed batches, as failed, so that an operator can retry them. */
export async function sweepFailedBatches({ models, queues }: SweepDeps): Promise<void> {
  for await (const rows of rowsWithJobs(models, queues, { state: 'failed' }, 'failedAt')) {
    const missing = rows.filter(({ job }) => !job);
    await queues['ingest-entries'].addAll(missing.map(({ row }) => ingestJob(row, 0, true)));
  }
}

const rowsAtOnce = 500;
const jobFields = { scenarioId: 1, requestId: 1, requests: 1, count: 1 } as const;

/** Batches, in portions, each with its job if it has one. */
async function* rowsWithJobs(
  { logBatch }: Pick<Models, 'logBatch'>,
  queues: Queues,
  filter: object,
  order: 'receivedAt' | 'failedAt',
) {
  const options = { projection: jobFields, batchSize: rowsAtOnce, sort: { [order]: 1 } } as const;
  const cursor = logBatch.collection.find<BatchOfJob>(filter, options);
  try {
    while (await cursor.hasNext()) {
      const rows = cursor.readBufferedDocuments();
      yield Promise.all(rows.map(async (row) => ({ row, job: await queues['ingest-entries'].findJob(row._id) })));
    }
  } finally {
    await cursor.close();
  }
}
