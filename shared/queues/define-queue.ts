import { type DefaultJobOptions, type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ObjectSchema } from 'joi';
import type { Log } from '../log.ts';
import { logErrorsOf } from '../redis.ts';

/** What every job carries beside its own fields. */
export interface JobPayload {
  /** The request that caused the job. */
  requestId: string;
}

/**
 * A queue: its name, what a job carries, what it gives, how often it is tried. `Result` has no value at run time; it
 * types what the processor returns and what a waiting request gets.
 */
export interface QueueDefinition<Name extends string, Payload extends JobPayload, Result> {
  readonly name: Name;
  readonly jobOptions: Readonly<DefaultJobOptions>;
  /** How many times a job may be taken over from a worker that died before it fails for good. */
  readonly maxStalledCount: number;
  /** @throws when the payload does not fit, naming the fields: when a job is added, and again when it is taken. */
  readonly parse: (data: unknown) => Payload;
  readonly result?: Result;
}

export function defineQueue<Payload extends JobPayload, Result>() {
  return <Name extends string>(definition: {
    name: Name;
    payload: ObjectSchema<Payload>;
    jobOptions: DefaultJobOptions;
    maxStalledCount: number;
  }): QueueDefinition<Name, Payload, Result> => ({
    name: definition.name,
    jobOptions: definition.jobOptions,
    maxStalledCount: definition.maxStalledCount,
    parse: (data) => {
      const { value, error } = definition.payload.validate(data, { abortEarly: false, convert: false });
      if (error) throw new TypeError(`${definition.name}: malformed payload: ${error.message}`);
      return value;
    },
  });
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
    defaultJobOptions: { stackTraceLimit: keptStackTraces, ...definition.jobOptions },
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
