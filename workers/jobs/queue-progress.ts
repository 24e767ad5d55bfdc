import type { QueueName } from '../../shared/all-queues.ts';
import type { QueueReport } from '../../shared/process/heartbeat.ts';

export interface QueueProgress {
  /** A job of the queue, or a step of a long one, has been completed. */
  record: (name: QueueName) => void;
  /** Runs a job of the queue. A job that never ends makes its worker stuck. */
  during: <Result>(name: QueueName, job: () => Promise<Result>) => Promise<Result>;
  /**
   * The state of all queues now. A queue without jobs is not stalled, so this is to be called
   * regularly.
   */
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
  const running = new Map<QueueName, number>();
  /** When a job was started beside no other, ended, or made a step. */
  const lastChange = new Map<QueueName, number>();
  const reportQueue = async (name: QueueName): Promise<QueueReport> => {
    if ((await countJobs(name)) === 0) lastIdle.set(name, now());
    const progress = lastProgress.get(name);
    const stalledSince = Math.max(progress ?? started, lastIdle.get(name) ?? started);
    return {
      name,
      lastProgress: progress === undefined ? null : new Date(progress).toISOString(),
      stalledMs: Math.max(0, now() - stalledSince),
      stuckMs: running.get(name) ? Math.max(0, now() - (lastChange.get(name) ?? started)) : 0,
    };
  };
  return {
    record: (name) => {
      lastProgress.set(name, now());
      lastChange.set(name, now());
    },
    during: async (name, job) => {
      const others = running.get(name) ?? 0;
      if (others === 0) lastChange.set(name, now());
      running.set(name, others + 1);
      try {
        return await job();
      } finally {
        running.set(name, (running.get(name) ?? 1) - 1);
        lastChange.set(name, now());
      }
    },
    report: () => Promise.all(names.map(reportQueue)),
  };
}
