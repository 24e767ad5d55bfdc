import Joi from 'joi';
import { day, second } from '../durations.ts';
import { defineQueue, type JobPayload } from './define-queue.ts';

export interface RollUpUsagePayload extends JobPayload {
  scenarioId: string;
}

export interface RollUpUsageResult {
  /** Usage records that were merged into usage days. */
  merged: number;
}

export const rollUpUsageQueue = defineQueue<RollUpUsagePayload, RollUpUsageResult>()({
  name: 'roll-up-usage',
  payload: Joi.object<RollUpUsagePayload>({
    scenarioId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
  }),
  jobOptions: {
    // A job that gives up loses nothing: pending records count, and the scenario's next ingest adds another job.
    attempts: 10,
    backoff: { type: 'capped', delay: 30 * second },
    removeOnComplete: { count: 100 },
    removeOnFail: { age: (7 * day) / second },
  },
  maxStalledCount: 10,
});
