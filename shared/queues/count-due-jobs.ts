import type { QueueName, Queues } from '../all-queues.ts';

/**
 * The number of jobs of a queue that wait or run. Delayed jobs, also those that wait for a retry,
 * are not due.
 */
export async function countDueJobs(queues: Queues, name: QueueName): Promise<number> {
  const counts = await Promise.all(
    queues[name].stripes.map((stripe) => stripe.getJobCounts('wait', 'prioritized', 'active')),
  );
  return counts.flatMap(Object.values<number>).reduce((sum, count) => sum + count, 0);
}
