import { defineQueue, type JobPayload } from '../queues/define-queue.ts';

export interface PurgeResult {
  /** By the name of the step. */
  removed: Record<string, number>;
}

export const purgeQueue = defineQueue<JobPayload, PurgeResult>()({
  name: 'purge',
  payload: {},
  jobName: () => 'purge',
});
