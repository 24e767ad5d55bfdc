import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { QueueName } from '../all-queues.ts';
import { minute, second } from '../durations.ts';
import { errorFields, type Log } from './log.ts';
import { succeedsWithin } from './semaphore.ts';

const interval = 2 * second;
const pingLimit = 3 * second;
/** Longer than the interval and the limit together, with a margin for a busy process. */
const silentAfter = 10 * second;
/** Time for which a worker is reported that has ended without removing its heartbeat. */
const lifetime = 10 * minute;
/**
 * With the interval of the heartbeat, a worker or queue without progress is reported within 60
 * seconds.
 */
export const stalledAfter = 50 * second;

export interface QueueReport {
  name: QueueName;
  /**
   * When the worker last completed a job of the queue, or a step of one; ISO 8601. Null if it has
   * not yet.
   */
  lastProgress: string | null;
  /**
   * Milliseconds for which the queue has had jobs that wait or run, and the worker has made no
   * progress.
   */
  stalledMs: number;
  /**
   * Milliseconds for which the worker has run jobs, and none of them has ended or made a step; 0
   * without a job.
   */
  stuckMs: number;
}

interface Heartbeat {
  /** Identifies the worker process, also in its log. */
  id: string;
  /** For the health check of its container; not shown to callers. */
  host: string;
  mongodb: 'up' | 'down';
  queues: QueueReport[];
}

/**
 * `silent`: the process has sent no heartbeat for ten seconds: it is frozen, or has ended without a
 * shutdown. `stuck`: its jobs make no progress.
 */
export type WorkerState = 'up' | 'stuck' | 'silent';

export interface WorkerReport extends Heartbeat {
  state: WorkerState;
}

const keyOf = (prefix: string, id: string) => `${prefix}:worker-heartbeat:${id}`;
const idsKeyOf = (prefix: string) => `${prefix}:worker-heartbeats`;

/**
 * Writes the heartbeat of a worker every two seconds: whether the worker reaches the database, and
 * the progress of its queues.
 * @returns a function that stops and removes it.
 */
export async function startHeartbeat(options: {
  id: string;
  redis: Redis;
  prefix: string;
  mongo: Pick<Connection, 'db'>;
  reportQueues: () => Promise<QueueReport[]>;
  log: Log;
}): Promise<() => Promise<void>> {
  const { id, redis, prefix, mongo, reportQueues, log } = options;
  let ended = false;
  const beat = async () => {
    const [isUp, queues] = await Promise.all([
      succeedsWithin(pingLimit, async () => (await mongo.db?.command({ ping: 1 })) !== undefined),
      reportQueues(),
    ]);
    const heartbeat: Heartbeat = { id, host: hostname(), mongodb: isUp ? 'up' : 'down', queues };
    if (ended) return;
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
  return async () => {
    clearInterval(timer);
    ended = true;
    await redis.del(keyOf(prefix, id));
  };
}

/**
 * The last heartbeats of all workers, except those that were shut down, and those that are silent
 * for ten minutes.
 */
export async function readHeartbeats(redis: Redis, prefix: string): Promise<WorkerReport[]> {
  const ids = await redis.smembers(idsKeyOf(prefix));
  if (ids.length === 0) return [];
  const [values, lifetimes] = await Promise.all([
    Promise.all(ids.map((id) => redis.get(keyOf(prefix, id)))),
    Promise.all(ids.map((id) => redis.pttl(keyOf(prefix, id)))),
  ]);
  // A worker that lives adds its id again with its next heartbeat.
  const expired = ids.filter((_, index) => values[index] === null);
  if (expired.length > 0) await redis.srem(idsKeyOf(prefix), ...expired);
  return values.flatMap((value, index) => {
    if (typeof value !== 'string') return [];
    const heartbeat = JSON.parse(value) as Heartbeat;
    // The age is measured by Redis, because the clocks of the processes can differ.
    const age = lifetime - (lifetimes[index] ?? 0);
    return [{ ...heartbeat, state: stateOf(heartbeat, age) }];
  });
}

function stateOf({ queues }: Heartbeat, age: number): WorkerState {
  if (age > silentAfter) return 'silent';
  return queues.some(({ stuckMs }) => stuckMs >= stalledAfter) ? 'stuck' : 'up';
}
