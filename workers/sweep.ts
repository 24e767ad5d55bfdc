import { randomUUID } from 'node:crypto';
import { minute } from '../shared/durations.ts';
import type { Models } from '../shared/models/index.ts';
import { deletionJobId } from '../shared/queues/delete-scenario.queue.ts';
import type { Queues } from '../shared/queues/index.ts';
import { errorFields, type Log } from '../shared/runtime/log.ts';

const interval = minute;

/**
 * Adds the jobs of scenarios marked as deleted, at once and then every minute. A job is missing if the API process
 * ended before adding the job, or if Redis lost the job. All workers can sweep concurrently, because a job id is added
 * only once.
 * @returns a function that ends the sweep.
 */
export function startSweep(options: { models: Models; queues: Queues; log: Log }): () => void {
  const run = () => {
    sweepDeletedScenarios(options).catch((error: unknown) => {
      options.log.warn('sweep failed', errorFields(error));
    });
  };
  run();
  const timer = setInterval(run, interval);
  return () => clearInterval(timer);
}

export async function sweepDeletedScenarios({ models, queues }: { models: Models; queues: Queues }): Promise<void> {
  const deleted = await models.scenario.find({ deletedAt: { $type: 'date' } }, { _id: 1 }).lean();
  for (const { _id: scenarioId } of deleted) {
    await queues['delete-scenario'].add({ scenarioId, requestId: randomUUID() }, { jobId: deletionJobId(scenarioId) });
  }
}
