import Joi from 'joi';
import { day, second } from '../durations.ts';
import { defineQueue, type JobPayload } from './define-queue.ts';

export interface FoldUsagePayload extends JobPayload {
  scenarioId: string;
}

export interface FoldUsageResult {
  /** Usage records that went into the hourly ones. */
  folded: number;
}

export const foldUsageQueue = defineQueue<FoldUsagePayload, FoldUsageResult>()({
  name: 'fold-usage',
  payload: Joi.object<FoldUsagePayload>({
    scenarioId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
  }),
  jobOptions: {
    // Nothing is lost by giving up: the next ingest of the scenario asks again.
    attempts: 10,
    backoff: { type: 'capped', delay: 30 * second },
    removeOnComplete: { count: 100 },
    removeOnFail: { age: (7 * day) / second },
  },
  maxStalledCount: 10,
});
