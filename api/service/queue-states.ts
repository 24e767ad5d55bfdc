import { allQueues, type QueueName, type Queues } from '../../shared/all-queues.ts';

const states = ['wait', 'prioritized', 'active', 'delayed', 'completed', 'failed'] as const;

interface QueueState {
  name: QueueName;
  /** Jobs by BullMQ's state. */
  counts: Readonly<Record<(typeof states)[number], number>>;
  /** In epoch milliseconds; null if no job waits or runs. */
  oldestAddedAt: number | null;
}

/** Reads the state of every queue. */
export function readQueueStates(queues: Queues): Promise<QueueState[]> {
  const names = Object.keys(allQueues) as QueueName[];
  return Promise.all(
    names.map(async (name) => {
      const [counts, oldestAddedAt] = await Promise.all([countJobs(queues, name), findOldest(queues, name)]);
      return { name, counts, oldestAddedAt };
    }),
  );
}

/** Sums of all stripes of a queue. */
async function countJobs(queues: Queues, name: QueueName): Promise<QueueState['counts']> {
  const counted = await Promise.all(queues[name].stripes.map((stripe) => stripe.getJobCounts(...states)));
  const sumOf = (state: string) => counted.reduce((sum, counts) => sum + (counts[state] ?? 0), 0);
  return Object.fromEntries(states.map((state) => [state, sumOf(state)])) as QueueState['counts'];
}

/**
 * When the oldest job that waits or runs was added. For jobs with a priority, the next one counts.
 * Delayed jobs are left out: they are ordered by the time of their retry, not by age.
 */
async function findOldest(queues: Queues, name: QueueName): Promise<number | null> {
  const oldest = await Promise.all(
    queues[name].stripes.map((stripe) => stripe.getJobs(['wait', 'prioritized', 'active'], 0, 0, true)),
  );
  const added = oldest.flat().flatMap((job) => (job ? [job.timestamp] : []));
  return added.length === 0 ? null : Math.min(...added);
}
