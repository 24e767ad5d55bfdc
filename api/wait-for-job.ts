import { QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Config } from '../shared/config/config.ts';
import { closeOrDisconnect, logErrorsOf } from '../shared/connections/redis.ts';
import type { AppError } from '../shared/errors.ts';
import { type QueueName, type Queues, type ResultOf } from '../shared/queues/index.ts';
import { decodeFailure } from '../shared/queues/job-failure.ts';
import type { Log } from '../shared/runtime/log.ts';
import { resultKey, subscribeToResults } from '../shared/services/job-results.ts';

/** Queues with jobs that requests wait for. */
export const awaitedQueues = ['ingest-entries', 'notebook-calls'] as const satisfies QueueName[];

/** The state of a job: completed, failed permanently, or pending. A job that Redis no longer has counts as pending. */
export type Outcome<Result> =
  | { state: 'completed'; result: Result }
  | { state: 'failed'; error: AppError }
  | { state: 'pending' };

export interface WaitForJob {
  /**
   * Adds a job by `add` and waits until it is completed or has failed permanently, at most `limitMs`. All requests that
   * wait for a worker wait here.
   */
  <Name extends QueueName>(
    name: Name,
    jobId: string,
    limitMs: number,
    add: () => Promise<void>,
  ): Promise<Outcome<ResultOf<Name>>>;
  /** Ends every wait with the state `pending`. The jobs continue. */
  close(): Promise<void>;
}

/**
 * One `QueueEvents` per awaited queue serves all requests, by a map of the awaited jobs. Events can be missed (a lost
 * connection, a trimmed stream), so a wait reads the stored outcome before it returns `pending`. A result that a worker
 * announces before its job ends completes the wait at once.
 */
export async function createWaitForJob(options: {
  names: readonly QueueName[];
  redis: Redis;
  queues: Queues;
  config: Pick<Config, 'redisPrefix' | 'spoolKey'>;
  log: Log;
}): Promise<WaitForJob> {
  const { queues, config, log } = options;
  const waiting = new Map<string, (outcome: Outcome<unknown>) => void>();
  const listeners = options.names.map((name) => {
    const events = new QueueEvents(name, { connection: options.redis, prefix: config.redisPrefix });
    events.on('completed', ({ jobId, returnvalue }) => {
      waiting.get(resultKey(name, jobId))?.({ state: 'completed', result: returnvalue });
    });
    events.on('failed', ({ jobId, failedReason }) => {
      waiting.get(resultKey(name, jobId))?.({ state: 'failed', error: decodeFailure(failedReason) });
    });
    logErrorsOf(events, 'queue events error', { queue: name, log });
    return events;
  });
  const endResults = subscribeToResults(options, (key) => {
    const end = waiting.get(key);
    return end && ((result) => end({ state: 'completed', result }));
  });
  await Promise.all(listeners.map((events) => events.waitUntilReady()));

  const waitForJob = async <Name extends QueueName>(
    name: Name,
    jobId: string,
    limitMs: number,
    add: () => Promise<void>,
  ): Promise<Outcome<ResultOf<Name>>> => {
    const key = resultKey(name, jobId);
    let limit: NodeJS.Timeout | undefined;
    // Listening starts before the job is added, so that its end cannot be missed.
    const outcome = new Promise<Outcome<unknown>>((resolve) => {
      waiting.set(key, resolve);
      limit = setTimeout(() => resolve({ state: 'pending' }), limitMs);
    });
    try {
      await add();
      const known = await outcome;
      return (known.state === 'pending' ? await storedOutcome(queues, name, jobId) : known) as Outcome<ResultOf<Name>>;
    } finally {
      clearTimeout(limit);
      waiting.delete(key);
    }
  };
  return Object.assign(waitForJob, {
    close: async () => {
      for (const end of waiting.values()) end({ state: 'pending' });
      endResults();
      await closeOrDisconnect(options.redis, Promise.all(listeners.map((events) => events.close())));
    },
  });
}

async function storedOutcome(queues: Queues, name: QueueName, jobId: string): Promise<Outcome<unknown>> {
  // The job exists even if this read fails: while Redis is unreachable its outcome is not known yet.
  const job = await queues[name].queue.getJob(jobId).catch(() => undefined);
  if (!job?.finishedOn) return { state: 'pending' };
  return job.failedReason
    ? { state: 'failed', error: decodeFailure(job.failedReason) }
    : { state: 'completed', result: job.returnvalue };
}
