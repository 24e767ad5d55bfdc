import type { QueueName } from '../shared/queues/index.ts';
import type { QueueReport } from '../shared/runtime/heartbeat.ts';

export interface QueueProgress {
  /** A job of the queue, or a step of a long one, has been completed. */
  record: (name: QueueName) => void;
  /** The state of all queues now. A queue without jobs is not stalled, so this is to be called regularly. */
  report: () => Promise<QueueReport[]>;
}

/**
 * Observes the progress of the queues that a worker serves.
 * @param options.countJobs counts the jobs of a queue that wait or run; delayed ones are not due.
 * @param options.now a clock in milliseconds.
 */
export function createQueueProgress(options: {
  names: readonly QueueName[];
  countJobs: (name: QueueName) => Promise<number>;
  now?: () => number;
}): QueueProgress {
  const { names, countJobs, now = Date.now } = options;
  const started = now();
  const lastProgress = new Map<QueueName, number>();
  const lastIdle = new Map<QueueName, number>();
  const reportQueue = async (name: QueueName): Promise<QueueReport> => {
    if ((await countJobs(name)) === 0) lastIdle.set(name, now());
    const progress = lastProgress.get(name);
    const stalledSince = Math.max(progress ?? started, lastIdle.get(name) ?? started);
    return {
      name,
      lastProgress: progress === undefined ? null : new Date(progress).toISOString(),
      stalledMs: Math.max(0, now() - stalledSince),
    };
  };
  return {
    record: (name) => lastProgress.set(name, now()),
    report: () => Promise.all(names.map(reportQueue)),
  };
}
