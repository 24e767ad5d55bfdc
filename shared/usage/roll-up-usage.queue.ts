import { second } from '../durations.ts';
import { cappedBackoff, defineQueue, type JobPayload, requiredUuid } from '../queues/define-queue.ts';

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
  payload: { scenarioId: requiredUuid },
  // A failed job loses no usage: stored batches count too, and the scenario's next ingest adds
  // another job.
  backoff: cappedBackoff(30 * second),
});
