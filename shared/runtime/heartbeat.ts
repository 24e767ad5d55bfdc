import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { second } from '../durations.ts';
import type { QueueName } from '../queues/index.ts';
import { errorFields, type Log } from './log.ts';
import { succeedsWithin } from './succeeds-within.ts';

const interval = 2 * second;
const pingLimit = 3 * second;
/** Longer than the interval and the limit together, with a margin for a busy process. */
const lifetime = 10 * second;

/** What a worker reports of a queue that it serves. */
export interface QueueReport {
  name: QueueName;
  /** When the worker last completed a job of the queue, or a step of one; ISO 8601. Null if it has not yet. */
  lastProgress: string | null;
  /** Milliseconds for which the queue has had jobs that wait or run, and the worker has made no progress. */
  stalledMs: number;
}

export interface Heartbeat {
  /** Of the worker process; it is in its log. */
  id: string;
  /** For the health check of its container; not shown to callers. */
  host: string;
  mongodb: 'up' | 'down';
  queues: QueueReport[];
}

const keyOf = (prefix: string, id: string) => `${prefix}:worker-heartbeat:${id}`;
const idsKeyOf = (prefix: string) => `${prefix}:worker-heartbeats`;

/**
 * Writes the heartbeat of a worker every two seconds: whether the worker reaches the database, and the progress of its
 * queues.
 * @returns a function that stops it.
 */
export async function startHeartbeat(options: {
  id: string;
  redis: Redis;
  prefix: string;
  mongo: Pick<Connection, 'db'>;
  reportQueues: () => Promise<QueueReport[]>;
  log: Log;
}): Promise<() => void> {
  const { id, redis, prefix, mongo, reportQueues, log } = options;
  const beat = async () => {
    const [isUp, queues] = await Promise.all([
      succeedsWithin(pingLimit, async () => (await mongo.db?.command({ ping: 1 })) !== undefined),
      reportQueues(),
    ]);
    const heartbeat: Heartbeat = { id, host: hostname(), mongodb: isUp ? 'up' : 'down', queues };
    await redis.set(keyOf(prefix, id), JSON.stringify(heartbeat), 'PX', lifetime);
    await redis.sadd(idsKeyOf(prefix), id);
  };
  await beat();
  let beating = false;
  const timer = setInterval(() => {
    // While Redis is unreachable, commands wait for it.
    if (beating) return;
    beating = true;
    beat()
      .catch((error: unknown) => log.warn('heartbeat not written', errorFields(error)))
      .finally(() => {
        beating = false;
      });
  }, interval);
  return () => clearInterval(timer);
}

/** The heartbeats of all workers that have written one within the last ten seconds. */
export async function readHeartbeats(redis: Redis, prefix: string): Promise<Heartbeat[]> {
  const ids = await redis.smembers(idsKeyOf(prefix));
  if (ids.length === 0) return [];
  const values = await redis.mget(ids.map((id) => keyOf(prefix, id)));
  // A worker that lives adds its id again with its next heartbeat.
  const expired = ids.filter((_, index) => values[index] === null);
  if (expired.length > 0) await redis.srem(idsKeyOf(prefix), ...expired);
  return values.flatMap((value) => (typeof value === 'string' ? [JSON.parse(value) as Heartbeat] : []));
}
