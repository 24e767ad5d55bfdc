import type { Redis } from 'ioredis';
import { allQueues, type QueueName, type Queues, type ResultOf } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { second } from '../../shared/durations.ts';
import type { AppError } from '../../shared/errors.ts';
import { decodeFailure, endOf } from '../../shared/queues/job-failure.ts';
import { resultKey, subscribeToResults } from '../../shared/queues/job-results.ts';

/**
 * The state of a job: completed, failed permanently, or pending. A job that Redis no longer has
 * counts as pending.
 */
type Outcome<Result> =
  | { state: 'completed'; result: Result }
  | { state: 'failed'; error: AppError }
  | { state: 'pending' };

export type WaitForJob = Awaited<ReturnType<typeof createWaitForJob>>;

/** A request that waits for a job. */
interface Wait {
  end: (outcome: Outcome<unknown>) => void;
  /** Ends the wait if the job has ended. */
  poll: () => Promise<void>;
}

/**
 * Milliseconds between two polls of an awaited job: the most that a lost announcement delays a
 * request.
 */
const pollInterval = 1 * second;

/**
 * Workers announce the result of a job, or its end; one subscription serves all requests, by a map
 * of the awaited jobs. Several requests can wait for one job. An announcement can be lost with a
 * connection or a worker, so a wait reads the stored outcome every second and at its end.
 */
export async function createWaitForJob(options: {
  redis: Redis;
  queues: Queues;
  config: Pick<Config, 'redisPrefix' | 'keys'>;
}) {
  const { queues } = options;
  const waiting = new Map<string, Set<Wait>>();
  const results = subscribeToResults(options, (key) => {
    const waits = waiting.get(key);
    return (
      waits && {
        onResult: (result) => waits.forEach(({ end }) => end({ state: 'completed', result })),
        onEnd: () => waits.forEach(({ poll }) => void poll()),
      }
    );
  });
  await results.ready;

  /**
   * Adds a job by `add` and waits until it is completed or has failed permanently, at most
   * `limitMs`. All requests that wait for a worker wait here.
   */
  const waitForJob = async <Name extends QueueName>(
    name: Name,
    jobId: string,
    limitMs: number,
    add: () => Promise<void>,
  ): Promise<Outcome<ResultOf<Name>>> => {
    if (!allQueues[name].isAwaited) throw new TypeError(`The jobs of ${name} are not announced: isAwaited is not set.`);
    const key = resultKey(name, jobId);
    const waits = waiting.get(key) ?? new Set();
    waiting.set(key, waits);
    let stopListening = () => {};
    let limit: NodeJS.Timeout | undefined;
    let polls: NodeJS.Timeout | undefined;
    // Listening starts before the job is added, so that its end cannot be missed.
    const outcome = new Promise<Outcome<unknown>>((end) => {
      let isPolling = false;
      const poll = async () => {
        if (isPolling) return;
        isPolling = true;
        const stored = await storedOutcome(queues, name, jobId);
        isPolling = false;
        if (stored.state !== 'pending') end(stored);
      };
      const wait = { end, poll };
      waits.add(wait);
      stopListening = () => {
        waits.delete(wait);
        if (waits.size === 0) waiting.delete(key);
      };
      polls = setInterval(() => void poll(), pollInterval);
      limit = setTimeout(() => end({ state: 'pending' }), limitMs);
    });
    try {
      await add();
      const known = await outcome;
      return (known.state === 'pending' ? await storedOutcome(queues, name, jobId) : known) as Outcome<ResultOf<Name>>;
    } finally {
      clearTimeout(limit);
      clearInterval(polls);
      stopListening();
    }
  };
  return Object.assign(waitForJob, {
    /** Ends every wait with the state `pending`. The jobs continue. */
    close: (): void => {
      results.end();
      for (const waits of waiting.values()) for (const { end } of waits) end({ state: 'pending' });
    },
  });
}

async function storedOutcome(queues: Queues, name: QueueName, jobId: string): Promise<Outcome<unknown>> {
  // The job exists even if this read fails: while Redis is unreachable its outcome is not known
  // yet.
  const job = await queues[name].findJob(jobId).catch(() => undefined);
  const end = job && endOf(job);
  if (!end) return { state: 'pending' };
  return end === 'completed'
    ? { state: end, result: job.returnvalue }
    : { state: end, error: decodeFailure(job.failedReason) };
}
