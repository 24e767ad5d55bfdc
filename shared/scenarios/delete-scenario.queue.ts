import Joi from 'joi';
import { day, minute } from '../durations.ts';
import { cappedBackoff } from '../queues/backoff.ts';
import { defineQueue, type JobPayload } from '../queues/define-queue.ts';

export interface DeleteScenarioPayload extends JobPayload {
  scenarioId: string;
}

export interface DeleteScenarioResult {
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
  // The job is retried until it succeeds. The scenario is already hidden, so its data must be
  // removed.
  attempts: 1_000_000,
  backoff: cappedBackoff(minute),
  maxStalledCount: 10_000,
  keepCompleted: { count: 100 },
  keepFailed: { age: 30 * day },
});

/** The id is the same for every job of a scenario, so that repeated adding makes one job. */
export const deletionJobId = (scenarioId: string) => `delete-${scenarioId}`;
