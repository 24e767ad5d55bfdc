import Joi from 'joi';
import { day, second } from '../durations.ts';
import { cappedBackoff, defineQueue, type JobPayload } from '../queues/define-queue.ts';

interface RollUpUsagePayload extends JobPayload {
  scenarioId: string;
}

interface RollUpUsageResult {
  /** Number of batches that were counted into hours and days. */
  counted: number;
}

/**
 * At most one roll-up of a scenario is active and one waits, over all processes. The waiting one
 * starts after the active one ends, and counts the batches that were stored too late for it.
 */
export const oneRollUpOf = (scenarioId: string) => ({ deduplication: { id: scenarioId, keepLastIfActive: true } });

export const rollUpUsageQueue = defineQueue<RollUpUsagePayload, RollUpUsageResult>()({
  name: 'roll-up-usage',
  jobName: () => 'roll up usage',
  payload: Joi.object<RollUpUsagePayload>({
    scenarioId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
  }),
  concurrency: 1,
  // A failed job loses no usage: stored batches count too, and the scenario's next ingest adds
  // another job.
  attempts: 10,
  backoff: cappedBackoff(30 * second),
  maxStalledCount: 10,
  keepCompleted: { count: 100 },
  keepFailed: { age: 7 * day },
});
