import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueName } from '../../shared/all-queues.ts';
import { closeOrDisconnect, logErrorsOf } from '../../shared/connections/redis.ts';
import type { QueueReport } from '../../shared/process/heartbeat.ts';
import { countDueJobs } from '../../shared/queues/count-jobs.ts';
import { repeatStrategy } from '../../shared/queues/define-queue.ts';
import { RetryableFailure } from '../../shared/queues/job-failure.ts';
import { announceEnd, announceResult } from '../../shared/queues/job-results.ts';
import { allProcessors } from '../all-processors.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { ProcessorsByQueue } from './processors-by-queue.ts';
import { createQueueProgress, type QueueProgress } from './queue-progress.ts';
import { createRefusalLog, QueueWorker } from './queue-worker.ts';
import { runProcessor } from './run-processor.ts';

export interface RunningWorkers {
  /**
   * Stops taking jobs, and waits up to `graceMs` milliseconds for jobs in progress. Other workers
   * take over unfinished jobs.
   */
  close(graceMs: number): Promise<void>;
  /** The progress of every queue that is served. */
  reportQueues: () => Promise<QueueReport[]>;
}

/**
 * Starts the BullMQ workers and the background task of every named queue. `redis` must wait for an
 * unreachable Redis indefinitely (role `worker`).
 */
export function startWorkers(names: readonly QueueName[], redis: Redis, deps: WorkerDeps): RunningWorkers {
  const countJobs = async (name: QueueName) => {
    const due = await countDueJobs(deps.queues, name);
    // Most batches of a deep backlog have no job.
    return name === 'ingest-entries' ? Math.max(due, deps.backlog.known().batches) : due;
  };
  const progress = createQueueProgress({ names, countJobs });
  const logRefusal = createRefusalLog(deps.log);
  const workers = names.map((name) => {
    const worker = startWorker(name, allProcessors[name], { redis, deps, progress });
    logErrorsOf(worker, 'worker error', { queue: name, log: deps.log, isLogged: logRefusal });
    return worker;
  });
  const endTasks = names.map((name) => allProcessors[name].startTask?.(deps));
  return {
    reportQueues: progress.report,
    close: async (graceMs) => {
      for (const end of endTasks) end?.();
      let timer: NodeJS.Timeout | undefined;
      const graceOver = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      // Other workers take over unfinished jobs when their locks expire. While Redis is
      // unreachable, no job can be completed, so the wait ends early.
      const closed = Promise.all(workers.map((worker) => worker.close()));
      await Promise.race([closeOrDisconnect(redis, closed), graceOver]);
      clearTimeout(timer);
    },
  };
}

function startWorker<Name extends QueueName>(
  name: Name,
  processor: ProcessorsByQueue[Name],
  { redis, deps, progress }: { redis: Redis; deps: WorkerDeps; progress: QueueProgress },
): Worker {
  const { backoff, lockDuration, stalledInterval, maxStalledCount, isAwaited } = processor.queue;
  const announced = new WeakSet<Job>();
  const run = runProcessor(processor, deps, {
    onProgress: () => progress.record(name),
    announceResult: (job, result) => {
      writeOncePerTurn(redis);
      if (announceResult(deps, name, job.id ?? '', result)) announced.add(job);
    },
  });
  const worker = new QueueWorker(name, (job) => progress.during(name, () => run(job)), {
    connection: redis,
    prefix: deps.config.redisPrefix,
    concurrency: deps.config.concurrency[name],
    lockDuration,
    stalledInterval,
    maxStalledCount,
    settings: {
      // The pause is random, and that in the log of the job is the one that is made.
      backoffStrategy: (attemptsMade, _type, error) =>
        (error instanceof RetryableFailure ? error.pauseMs : undefined) ?? backoff(attemptsMade, error),
      repeatStrategy,
    },
  });
  if (isAwaited) {
    worker.on('completed', (job, result: object) => {
      if (!announced.has(job)) announceEnd(deps, name, job.id ?? '', result);
    });
    worker.on('failed', (job) => {
      // Not before the last attempt.
      if (job?.finishedOn) announceEnd(deps, name, job.id ?? '');
    });
  }
  worker.on('stalled', (jobId) =>
    deps.log.warn('job taken over from a worker that died', { queue: name, job_id: jobId }),
  );
  return worker;
}

/**
 * Sends the commands of this turn of the event loop in one write: most jobs end in the turn in
 * which their result is announced. A write costs more than all else that a command does here.
 */
function writeOncePerTurn({ stream }: Redis): void {
  stream.cork();
  setImmediate(() => stream.uncork());
}
