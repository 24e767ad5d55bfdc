import Joi from 'joi';
import type { AuditActor } from '../audit/audit-record.model.ts';
import { day, minute, second } from '../durations.ts';
import { cappedBackoff } from '../queues/backoff.ts';
import { defineQueue, type JobPayload } from '../queues/define-queue.ts';

interface RefreshPricesPayload extends JobPayload {
  /** A name of `PRICE_SOURCES`. */
  source: string;
  /** Who sent the request; absent for a scheduled refresh. */
  actor?: Omit<AuditActor, 'requestId'>;
}

export interface RefreshPricesResult {
  /** `current`: the newest version had these prices already. */
  status: 'applied' | 'current';
  version: string;
  changes: number;
}

const id = Joi.string().uuid().allow(null).required();

export const refreshPricesQueue = defineQueue<RefreshPricesPayload, RefreshPricesResult>()({
  name: 'refresh-prices',
  payload: Joi.object<RefreshPricesPayload>({
    source: Joi.string().required(),
    actor: Joi.object({
      userId: id,
      userIdSource: Joi.string().allow(null).required(),
      accountId: id,
      apiKeyId: id,
      clientAddress: Joi.string().required(),
    }),
    requestId: Joi.string().uuid().required(),
  }),
  jobName: ({ source }) => `refresh prices from ${source}`,
  // A refresh begins with the version that the one before has stored.
  concurrency: 1,
  // A refused source is not tried again.
  attempts: 3,
  backoff: cappedBackoff(5 * minute),
  maxStalledCount: 3,
  // Comparing the prices of all Regions blocks the event loop for seconds.
  lockDuration: 60 * second,
  stalledInterval: 30 * second,
  keepCompleted: { count: 100 },
  keepFailed: { age: 7 * day },
});
