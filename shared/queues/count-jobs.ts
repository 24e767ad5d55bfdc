import type { JobType } from 'bullmq';
import type { QueueName, Queues } from '../all-queues.ts';

/**
 * The number of jobs of a queue that wait or run. Delayed jobs, also those that wait for a retry,
 * are not due.
 */
export const countDueJobs = (queues: Queues, name: QueueName): Promise<number> =>
  countJobs(queues, name, ['wait', 'prioritized', 'active']);

export const countDelayedJobs = (queues: Queues, name: QueueName): Promise<number> =>
  countJobs(queues, name, ['delayed']);

async function countJobs(queues: Queues, name: QueueName, states: JobType[]): Promise<number> {
  const counts = await queues[name].queue.getJobCounts(...states);
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
