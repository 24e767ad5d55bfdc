import Joi from 'joi';
import { day, minute, second } from '../durations.ts';
import { defineQueue, type JobPayload } from './define-queue.ts';

export interface DeleteScenarioPayload extends JobPayload {
  scenarioId: string;
}

export interface DeleteScenarioResult {
  /** Documents removed, the scenario itself included. */
  removed: number;
}

export const deleteScenarioQueue = defineQueue<DeleteScenarioPayload, DeleteScenarioResult>()({
  name: 'delete-scenario',
  payload: Joi.object<DeleteScenarioPayload>({
    scenarioId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
  }),
  jobOptions: {
    // Tried until done: the scenario is gone for its users already, its data must follow.
    attempts: 1_000_000,
    backoff: { type: 'capped', delay: minute },
    removeOnComplete: { count: 100 },
    removeOnFail: { age: (30 * day) / second },
  },
  maxStalledCount: 10_000,
});

/** One job per scenario, however often it is asked for. */
export const deletionJobId = (scenarioId: string) => `delete-${scenarioId}`;
