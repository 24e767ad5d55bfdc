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
      const [counts, oldestAddedAt] = await Promise.all([
        queues[name].queue.getJobCounts(...states),
        findOldest(queues, name),
      ]);
      return { name, counts: counts as QueueState['counts'], oldestAddedAt };
    }),
  );
}

/**
 * When the oldest job that waits or runs was added. For jobs with a priority, the next one counts.
 * Delayed jobs are left out: they are ordered by the time of their retry, not by age.
 */
async function findOldest(queues: Queues, name: QueueName): Promise<number | null> {
  const oldest = await queues[name].queue.getJobs(['wait', 'prioritized', 'active'], 0, 0, true);
  // A job that is removed meanwhile is undefined.
  const added = oldest.flatMap((job) => (job ? [job.timestamp] : []));
  return added.length === 0 ? null : Math.min(...added);
}
