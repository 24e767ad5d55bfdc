import type { JobType } from 'bullmq';
import type { QueueName, Queues } from '../all-queues.ts';

/** The states of jobs that are due. Delayed jobs, also those that wait for a retry, are not. */
export const dueStates: readonly JobType[] = ['wait', 'prioritized', 'active'];

/** The number of jobs of a queue in these states. */
export async function countJobs(queues: Queues, name: QueueName, states = dueStates): Promise<number> {
  const counts = await queues[name].queue.getJobCounts(...states);
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
