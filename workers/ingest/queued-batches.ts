import type { Queues } from '../../shared/all-queues.ts';
import { minute, second } from '../../shared/durations.ts';
import type { Backlog } from '../../shared/ingest/backlog.ts';
import { ingestJobOptions, ingestPayload } from '../../shared/ingest/ingest-entries.queue.ts';
import type { LogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { countDelayedJobs, countDueJobs } from '../../shared/queues/count-jobs.ts';
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
  const [due, delayed] = await Promise.all([
    countDueJobs(queues, 'ingest-entries'),
    countDelayedJobs(queues, 'ingest-entries'),
  ]);
  return due + delayed < Math.min(batches, maxJobs / 2);
}

/**
 * Adds missing jobs, the oldest of each caller first, so that callers share the workers. Any number
 * of workers may do it at the same time: a job that exists is not added again.
 */
export async function addMissingJobs({ models, queues, backlog }: Deps): Promise<number> {
  const { callers } = await backlog.read();
  const share = Math.max(1, Math.floor(maxJobs / Math.max(1, callers.size)));
  const receivedAt = { $lt: new Date(Date.now() - lateAfter) };
  let added = 0;
  for (const [caller, { batches }] of callers) {
    const filter = { state: 'queued', caller, receivedAt };
    let ofCaller = 0;
    // The oldest can have jobs that wait for a retry.
    for await (const rows of inPortions(models, filter, { receivedAt: 1 })) {
      ofCaller += await addJobs(rows, batches, queues);
      if (ofCaller >= share) break;
    }
    added += ofCaller;
  }
  return added;
}

async function* inPortions(
  { logBatch }: Pick<Models, 'logBatch'>,
  filter: object,
  sort: Record<string, 1>,
): AsyncGenerator<JobRow[]> {
  const rows = logBatch.collection.find<JobRow>(filter, { projection: jobFields, batchSize: jobsAtOnce }).sort(sort);
  let portion: JobRow[] = [];
  for await (const row of rows) {
    portion.push(row);
    if (portion.length < jobsAtOnce) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

type JobRow = Pick<LogBatch, '_id' | 'scenarioId' | 'requestId' | 'requests' | 'count'>;

const jobFields = { scenarioId: 1, requestId: 1, requests: 1, count: 1 } as const;
const jobsAtOnce = 500;

async function addJobs(rows: readonly JobRow[], queued: number, queues: Queues): Promise<number> {
  const queue = queues['ingest-entries'];
  let added = 0;
  for (let start = 0; start < rows.length; start += jobsAtOnce) {
    const portion = rows.slice(start, start + jobsAtOnce);
    const jobs = await Promise.all(portion.map(({ _id }) => queue.findJob(_id)));
    const missing: JobRow[] = [];
    for (const [at, row] of portion.entries()) {
      const job = jobs[at];
      if (job && !endOf(job)) continue;
      // The job of an attempt that could not write to the database. Another worker can do the same.
      await job?.remove().catch(() => {});
      missing.push(row);
    }
    await queue.addAll(
      missing.map((row) => ({ payload: ingestPayload(row), options: ingestJobOptions(row._id, queued) })),
    );
    added += missing.length;
  }
  return added;
}

/** Puts back the jobs of failed batches, as failed, so that an operator can retry them. */
export async function sweepFailedBatches({ models, queues }: SweepDeps): Promise<void> {
  const queue = queues['ingest-entries'];
  for await (const rows of inPortions(models, { state: 'failed' }, { failedAt: 1 })) {
    const jobs = await Promise.all(rows.map(({ _id }) => queue.findJob(_id)));
    const missing = rows.filter((_, at) => !jobs[at]);
    await queue.addAll(
      missing.map((row) => ({ payload: { ...ingestPayload(row), isFailed: true }, options: { jobId: row._id } })),
    );
  }
}
