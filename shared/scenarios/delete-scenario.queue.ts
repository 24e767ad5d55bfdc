import Joi from 'joi';
import { day } from '../durations.ts';
import { defineQueue, type JobPayload, retriedIndefinitely } from '../queues/define-queue.ts';

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
  payload: Joi.object<DeleteScenarioPayload>({
    scenarioId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
  }),
  concurrency: 1,
  // The scenario is already hidden, so its data must be removed.
  ...retriedIndefinitely,
  keepCompleted: { count: 100 },
  keepFailed: { age: 30 * day },
});

/** The id is the same for every job of a scenario, so that repeated adding makes one job. */
export const deletionJobId = (scenarioId: string) => `delete-${scenarioId}`;
