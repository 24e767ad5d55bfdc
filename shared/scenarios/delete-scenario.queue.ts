import { day, second } from '../durations.ts';
import { defineQueue, type JobPayload, requiredUuid, retriedIndefinitely } from '../queues/define-queue.ts';

interface DeleteScenarioPayload extends JobPayload {
  scenarioId: string;
}

interface DeleteScenarioResult {
  /** Number of removed documents, including the scenario itself. */
  removed: number;
}

export const deleteScenarioQueue = defineQueue<DeleteScenarioPayload, DeleteScenarioResult>()({
  name: 'delete-scenario',
  jobName: () => 'delete scenario',
  payload: { scenarioId: requiredUuid },
  // The scenario is already hidden, so its data must be removed.
  ...retriedIndefinitely,
  keepFailed: { age: (30 * day) / second },
});

/** The id is the same for every job of a scenario, so that repeated adding makes one job. */
export const deletionJobId = (scenarioId: string) => `delete-${scenarioId}`;
