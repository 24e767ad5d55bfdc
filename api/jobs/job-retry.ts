import type { Job } from 'bullmq';
import type { QueueName } from '../../shared/all-queues.ts';
import { requeueReport } from '../../shared/reports/report.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { type JobFilter, matchJobs, maxScanned, scannedAtOnce } from './job-search.ts';

type Deps = Pick<RouteDeps, 'queues' | 'redis' | 'allOwners'>;

/** How many of the failed jobs of a queue were left failed, of those before a time. */
export interface RetryPosition {
  before: number;
  index: number;
}

/**
 * Retries failed jobs, the oldest first. A job that fails again is newer than `before`, so it is
 * not retried twice.
 * @returns how many were retried and read, and where to continue; `next` is null at the end.
 */
export async function retryFailedJobs(
  queue: QueueName,
  { errorClass, before, index }: Pick<JobFilter, 'errorClass'> & RetryPosition,
  deps: Deps,
): Promise<{ retried: number; scanned: number; next: RetryPosition | null }> {
  const { queue: opened } = deps.queues[queue];
  const failed = opened.toKey('failed');
  let retried = 0;
  let scanned = 0;
  let kept = index;
  while (scanned < maxScanned) {
    const atMost = Math.min(scannedAtOnce, maxScanned - scanned);
    const ids = await deps.redis.zrangebyscore(failed, '-inf', before, 'LIMIT', kept, atMost);
    const matches = await matchJobs(opened, ids, { errorClass }, deps);
    const outcomes = await Promise.all(
      ids.map(async (id, position) => matches[position] === true && (await retryById(queue, id, deps))),
    );
    const moved = outcomes.filter((isRetried) => isRetried).length;
    retried += moved;
    scanned += ids.length;
    kept += ids.length - moved;
    if (ids.length < atMost) return { retried, scanned, next: null };
  }
  return { retried, scanned, next: { before, index: kept } };
}

/** @returns false if the job no longer exists or is in another state. */
async function retryById(queue: QueueName, id: string, deps: Deps): Promise<boolean> {
  const job = await deps.queues[queue].findJob(id);
  return job !== undefined && (await retryJob({ queue, job }, deps));
}

/**
 * Gives a failed job all of its attempts again. The report of a job is `queued` again.
 * @returns false if the job no longer exists or is in another state.
 */
export async function retryJob(
  { queue, job }: { queue: QueueName; job: Job },
  { allOwners }: Pick<Deps, 'allOwners'>,
): Promise<boolean> {
  const { reportId = '' } = job.data as { reportId?: string };
  const isRendering = queue === 'render-report' || queue === 'render-csv';
  const report = isRendering ? await allOwners.report.findOne({ _id: reportId, status: 'failed' }).lean() : null;
  try {
    await job.retry('failed', { resetAttemptsMade: true });
  } catch (error) {
    if ((await job.getState()) !== 'failed') return false;
    throw error;
  }
  // The worker does the same if this process ends here.
  if (report) await requeueReport(allOwners.report, report._id, report.fileId);
  return true;
}
