import { second } from '../durations.ts';
import { cappedBackoff, defineQueue, type JobPayload } from '../queues/define-queue.ts';

interface AppendAuditRecordsResult {
  /** Number of events whose records were appended; 0 if another job has appended them. */
  appended: number;
}

/**
 * One job appends the records of all requests, so at most one is active and one waits, over all
 * processes. A job that is added while one is active runs after it: the active one may have read
 * the events before the last change.
 */
export const oneAppendAtATime = { deduplication: { id: 'append', keepLastIfActive: true } } as const;

export const appendAuditRecordsQueue = defineQueue<JobPayload, AppendAuditRecordsResult>()({
  name: 'append-audit-records',
  jobName: () => 'append audit records',
  payload: {},
  // A failed job loses no event: events wait in the rows of their changes, and the sweep adds
  // another job.
  backoff: cappedBackoff(30 * second),
});
