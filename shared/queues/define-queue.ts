import { type JobsOptions, type KeepJobs, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ObjectSchema } from 'joi';
import { second } from '../durations.ts';
import type { Log } from '../log.ts';
import { logErrorsOf } from '../redis.ts';
import type { Backoff } from './backoff.ts';

/** What every job carries beside its own fields. */
export interface JobPayload {
  /** The request that caused the job. */
  requestId: string;
}

/** Which finished jobs stay in Redis: up to an age in milliseconds, up to a number, or both. */
export type KeptJobs = { readonly age: number; readonly count?: number } | { readonly count: number };

/** A number of jobs that an environment variable sets. */
export interface ConfiguredConcurrency {
  readonly variable: string;
  readonly default: number;
  readonly max: number;
}

/** How the jobs of a queue are run, tried again and kept. */
interface QueueSettings {
  /** How many jobs of the queue a worker process runs concurrently. */
  readonly concurrency: number | ConfiguredConcurrency;
  /** How many times a job is run, the first time included. */
  readonly attempts: number;
  readonly backoff: Backoff;
  readonly keepCompleted: KeptJobs;
  readonly keepFailed: KeptJobs;
  /** How many times a job may be taken over from a worker that died before it fails for good. */
  readonly maxStalledCount: number;
  /** How long a job belongs to a worker that no longer renews its lock, in milliseconds. */
  readonly lockDuration: number;
  /** How often workers look for jobs without a lock, in milliseconds. */
  readonly stalledInterval: number;
}

/** A killed worker's jobs are taken over after at most both together. */
const defaultSettings = { lockDuration: 10 * second, stalledInterval: 5 * second };

/**
 * A queue: its name, what a job carries, what it gives, and how jobs are run. `Result` has no value at run time; it
 * types what the processor returns and what a waiting request gets.
 */
export interface QueueDefinition<Name extends string, Payload extends JobPayload, Result> extends QueueSettings {
  readonly name: Name;
  /** @throws when the payload does not fit, naming the fields: when a job is added, and again when it is taken. */
  readonly parse: (data: unknown) => Payload;
  readonly result?: Result;
}

export function defineQueue<Payload extends JobPayload, Result>() {
  return <Name extends string>(
    definition: { name: Name; payload: ObjectSchema<Payload> } & Omit<QueueSettings, keyof typeof defaultSettings> &
      Partial<typeof defaultSettings>,
  ): QueueDefinition<Name, Payload, Result> => {
    const { payload, ...own } = definition;
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

/** BullMQ keeps the trace of every failed attempt in Redis, and some jobs are tried for days. */
const keptStackTraces = 3;

/** A queue that jobs can be added to. */
export interface OpenQueue<Payload extends JobPayload> {
  readonly queue: Queue;
  /** Adds a job. With a `jobId` of which a job is still kept, nothing is added. */
  add(payload: Payload, options?: Pick<JobsOptions, 'jobId' | 'deduplication' | 'delay'>): Promise<void>;
}

export function openQueue<Name extends string, Payload extends JobPayload, Result>(
  definition: QueueDefinition<Name, Payload, Result>,
  options: { redis: Redis; prefix: string; log: Log },
): OpenQueue<Payload> {
  const queue = new Queue(definition.name, {
    connection: options.redis,
    prefix: options.prefix,
    defaultJobOptions: {
      attempts: definition.attempts,
      // Any type that BullMQ does not know is handed to the worker, which calls the definition's backoff.
      backoff: { type: 'of-the-queue' },
      removeOnComplete: inSeconds(definition.keepCompleted),
      removeOnFail: inSeconds(definition.keepFailed),
      stackTraceLimit: keptStackTraces,
    },
    skipWaitingForReady: true,
  });
  logErrorsOf(queue, 'queue error', { queue: definition.name, log: options.log });
  return {
    queue,
    add: async (payload, jobOptions) => {
      await queue.add(definition.name, definition.parse(payload), jobOptions);
    },
  };
}

/** BullMQ counts the age of kept jobs in seconds. */
function inSeconds(kept: KeptJobs): KeepJobs {
  return 'age' in kept ? { ...kept, age: kept.age / second } : kept;
}
