import Joi from 'joi';
import { day, minute } from '../durations.ts';
import { cappedBackoff, defineQueue, type JobPayload } from '../queues/define-queue.ts';

export interface PurgeResult {
  /** By the name of the step. */
  removed: Record<string, number>;
}

export const purgeQueue = defineQueue<JobPayload, PurgeResult>()({
  name: 'purge',
  payload: Joi.object<JobPayload>({
    requestId: Joi.string().uuid().required(),
  }),
  jobName: () => 'purge',
  concurrency: 1,
  // The next purge removes what this one leaves.
  attempts: 10,
  backoff: cappedBackoff(minute),
  maxStalledCount: 10,
  keepCompleted: { count: 100 },
  keepFailed: { age: 7 * day },
});
