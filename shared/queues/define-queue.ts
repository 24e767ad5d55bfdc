import { type Job, type JobsOptions, type KeepJobs, Queue, type RepeatOptions, type RepeatStrategy } from 'bullmq';
import type { Redis } from 'ioredis';
import Joi, { type PartialSchemaMap } from 'joi';
import { logErrorsOf } from '../connections/redis.ts';
import { day, minute, second } from '../durations.ts';
import type { Log } from '../process/log.ts';
import { nextRuns } from '../reports/cron-times.ts';
import { RetryableFailure } from './job-failure.ts';

export interface JobPayload {
  /** The request that caused the job. */
  requestId: string;
}

interface QueueSettings {
  /** Number of jobs of the queue that a worker process runs concurrently. */
  readonly concurrency: number;
  /** Number of times that a job is run, including the first. */
  readonly attempts: number;
  readonly backoff: Backoff;
  /** The finished jobs that stay in Redis: up to an age in seconds, up to a number, or both. */
  readonly keepCompleted: KeepJobs;
  readonly keepFailed: KeepJobs;
  /** Number of times that a job is taken over from a dead worker before it fails permanently. */
  readonly maxStalledCount: number;
  /** Whether requests wait for its jobs: the end of each is announced. */
  readonly isAwaited: boolean;
}

const defaultSettings: QueueSettings = {
  concurrency: 1,
  attempts: 10,
  backoff: cappedBackoff(minute),
  keepCompleted: { count: 100 },
  keepFailed: { age: (7 * day) / second },
  maxStalledCount: 10,
  isAwaited: false,
};

/**
 * A queue: its name, the payload and the result of its jobs, and its settings. `Result` has no
 * value at run time. It types the result of the processor, which a waiting request receives.
 */
export interface QueueDefinition<Name extends string, Payload extends JobPayload, Result> extends QueueSettings {
  readonly name: Name;
  /** Names a job by what it does, such as `create notebook`. The dashboard shows the name. */
  jobName(payload: Payload): string;
  /**
   * Validates a payload when a job is added and when it is run. @throws TypeError that names every
   * invalid field.
   */
  readonly parse: (data: unknown) => Payload;
  readonly result?: Result;
}

export const requiredUuid = Joi.string().uuid().required();

/** Defines a queue by its name, the fields of its payload beside `requestId`, and its settings. */
export function defineQueue<Payload extends JobPayload, Result>() {
  return <Name extends string>({
    payload: fields,
    ...own
  }: Pick<QueueDefinition<Name, Payload, Result>, 'name' | 'jobName'> & {
    payload: PartialSchemaMap;
  } & Partial<QueueSettings>): QueueDefinition<Name, Payload, Result> => {
    const payload = Joi.object<Payload>({ ...fields, requestId: requiredUuid });
    return {
      ...defaultSettings,
      ...own,
      parse: (data) => {
        const { value, error } = payload.validate(data, { abortEarly: false, convert: false });
        if (error) throw new TypeError(`${own.name}: malformed payload: ${error.message}`);
        return value;
      },
    };
  };
}

/**
 * Without a limit, BullMQ keeps the stack trace of every failed attempt in Redis, and some jobs are
 * retried for days.
 */
const retainedStackTraces = 3;
/** Lines of a job's own log; each attempt adds one. */
const retainedLogLines = 50;

/** BullMQ's. */
export const maxPriority = 2_097_151;

export type OpenQueue<Payload extends JobPayload> = ReturnType<typeof openQueue<Payload>>;

/** When a job is added: every so many milliseconds, or by a cron expression in a time zone. */
export type RepeatTimes = { every: number } | Required<Pick<RepeatOptions, 'pattern' | 'tz'>>;

/**
 * The next time of a scheduler. Queues compute it when the scheduler is added, and workers before
 * each of its jobs. BullMQ's own computation skips and repeats runs when clocks change.
 */
export const repeatStrategy: RepeatStrategy = (after, { pattern = '', tz = 'UTC' }) =>
  nextRuns({ cron: pattern, timezone: tz }, new Date(after), 1)[0]?.getTime();

export function openQueue<Payload extends JobPayload>(
  definition: QueueDefinition<string, Payload, unknown>,
  { redis, prefix, log }: { redis: Redis; prefix: string; log: Log },
) {
  const { name } = definition;
  const queue = new Queue(name, {
    connection: redis,
    prefix: prefix,
    defaultJobOptions: {
      attempts: definition.attempts,
      // BullMQ passes an unknown type to the worker, which calls the backoff of the definition.
      backoff: { type: 'of-the-queue' },
      removeOnComplete: definition.keepCompleted,
      removeOnFail: definition.keepFailed,
      stackTraceLimit: retainedStackTraces,
      keepLogs: retainedLogLines,
    },
    settings: { repeatStrategy },
    skipWaitingForReady: true,
  });
  logErrorsOf(queue, 'queue error', { queue: name, log });
  return {
    queue,
    findJob: (id: string): Promise<Job | undefined> => queue.getJob(id),
    /** Adds a job, unless a job with the same `jobId` is still in Redis. */
    add: async (
      payload: Payload,
      jobOptions?: Pick<JobsOptions, 'jobId' | 'deduplication' | 'delay' | 'priority'>,
    ): Promise<void> => {
      const parsed = definition.parse(payload);
      await queue.add(definition.jobName(parsed), parsed, jobOptions);
    },
    /** Adds all of the jobs in one transaction, except those whose `jobId` is still in Redis. */
    addAll: async (jobs: readonly { payload: Payload; options: { jobId: string; priority?: number } }[]) => {
      const parsed = jobs.map(({ payload, options: opts }) => ({ data: definition.parse(payload), opts }));
      const named = parsed.map(({ data, opts }) => ({ name: definition.jobName(data), data, opts }));
      const [only] = named;
      // A transaction of one job takes twice as long as the job.
      if (only && named.length === 1) await queue.add(only.name, only.data, only.opts);
      else if (only) await queue.addBulk(named);
    },
    /**
     * Adds a job regularly, or changes when that is done. A time that is missed while no worker
     * runs is made up for once.
     */
    repeat: async (id: string, when: RepeatTimes, payload: Payload): Promise<void> => {
      const parsed = definition.parse(payload);
      await queue.upsertJobScheduler(id, when, { name: definition.jobName(parsed), data: parsed });
    },
    isRepeated: async (id: string): Promise<boolean> => (await queue.getJobScheduler(id)) !== undefined,
    stopRepeating: async (id: string): Promise<void> => {
      await queue.removeJobScheduler(id);
    },
  };
}

/**
 * The pause before the next attempt of a failed job, in milliseconds. `attemptsMade` counts from 1.
 * `error` is the error of the last attempt.
 */
type Backoff = (attemptsMade: number, error: Error | undefined) => number;

interface PauseLimits {
  readonly first: number;
  readonly longest: number;
}

/** A pause of 250 ms that doubles with every attempt, up to `longest` milliseconds. */
export function cappedBackoff(longest: number): Backoff {
  return (attemptsMade) => doubledPause({ first: 250, longest }, attemptsMade);
}

/**
 * A pause that doubles with every attempt up to the limit, and is shortened at random by up to a
 * half, so that jobs that fail together are not retried together. The pause is never shorter than
 * the `Retry-After` of a `RetryableFailure`.
 */
export function jitteredBackoff(limits: PauseLimits): Backoff {
  return (attemptsMade, error) => {
    const retryAfterMs = error instanceof RetryableFailure ? error.retryAfterMs : 0;
    const pause = doubledPause(limits, attemptsMade) * (0.5 + Math.random() / 2);
    return Math.round(Math.max(retryAfterMs, pause));
  };
}

/** The upper bound of `jitteredBackoff`, for comparing the next attempt with a deadline. */
export function longestPause(limits: PauseLimits, attemptsMade: number, retryAfterMs: number): number {
  return Math.max(retryAfterMs, doubledPause(limits, attemptsMade));
}

function doubledPause({ first, longest }: PauseLimits, attemptsMade: number): number {
  // The bound on the exponent keeps the power finite after thousands of attempts.
  return Math.min(longest, first * 2 ** Math.min(attemptsMade - 1, 20));
}

/** Settings of jobs that are retried every minute, until they succeed or fail permanently. */
export const retriedIndefinitely = {
  attempts: 1_000_000,
  backoff: cappedBackoff(minute),
  maxStalledCount: 10_000,
} as const;
