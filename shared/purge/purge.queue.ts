import Joi from 'joi';
import { day, minute } from '../durations.ts';
import { cappedBackoff, defineQueue, type JobPayload } from '../queues/define-queue.ts';

interface PurgePayload extends JobPayload {
  /** Only these files are removed, unless a report names them. Absent: everything that is due. */
  fileIds?: string[];
}

export interface PurgeResult {
  /** By the name of the step. */
  removed: Record<string, number>;
}

export const purgeQueue = defineQueue<PurgePayload, PurgeResult>()({
  name: 'purge',
  payload: Joi.object<PurgePayload>({
    fileIds: Joi.array().items(Joi.string().hex().length(24)),
    requestId: Joi.string().uuid().required(),
  }),
  jobName: ({ fileIds }) => (fileIds ? 'remove files of deleted reports' : 'purge'),
  concurrency: 1,
  // The next purge removes what this one leaves.
  attempts: 10,
  backoff: cappedBackoff(minute),
  maxStalledCount: 10,
  keepCompleted: { count: 100 },
  keepFailed: { age: 7 * day },
});
