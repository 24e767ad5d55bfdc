import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { second } from '../shared/durations.ts';
import { errorFields } from '../shared/log.ts';
import { bullPrefix } from '../shared/queues/define-queue.ts';
import { allQueues, type QueueName } from '../shared/queues/index.ts';
import { processors } from './registry.ts';
import { type Processor, type ProcessorDeps, runProcessor } from './run-processor.ts';

/** From a quarter of a second, doubled with every attempt, up to the queue's own longest delay. */
export function cappedBackoff(attemptsMade: number, longestMs: number): number {
  return Math.min(longestMs, 250 * 2 ** Math.min(attemptsMade - 1, 20));
}

export interface RunningWorkers {
  /** Takes no more jobs, waits for those that run up to `graceMs`, then leaves them for another worker. */
  close(graceMs: number): Promise<void>;
}

/** Starts one BullMQ worker per queue. `redis` must wait for ever (role `worker`). */
export function startWorkers(names: readonly QueueName[], redis: Redis, deps: ProcessorDeps): RunningWorkers {
  const workers = names.map((name) => startWorker(name, redis, deps));
  return {
    close: async (graceMs) => {
      await Promise.all(
        workers.map(async (worker) => {
          const grace = setTimeout(() => void worker.close(true), graceMs);
          await worker.close();
          clearTimeout(grace);
        }),
      );
    },
  };
}

function startWorker<Name extends QueueName>(name: Name, redis: Redis, deps: ProcessorDeps): Worker {
  const worker = new Worker(name, runProcessor(name, processors[name] as Processor<Name>, deps), {
    connection: redis,
    prefix: bullPrefix(deps.config.redisPrefix),
    concurrency: name === 'ingest-entries' ? deps.config.ingest.concurrency : 1,
    // A killed worker's jobs are taken over after at most lock and interval together.
    lockDuration: 10 * second,
    stalledInterval: 5 * second,
    maxStalledCount: allQueues[name].maxStalledCount,
    settings: {
      backoffStrategy: (attemptsMade, _type, _error, job) => {
        const backoff = job?.opts.backoff;
        return cappedBackoff(attemptsMade, typeof backoff === 'object' ? (backoff.delay ?? second) : second);
      },
    },
  });
  worker.on('error', (error) => deps.log.warn('worker error', { queue: name, ...errorFields(error) }));
  worker.on('stalled', (jobId) =>
    deps.log.warn('job taken over from a worker that died', { queue: name, job_id: jobId }),
  );
  return worker;
}
