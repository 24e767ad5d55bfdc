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
  /** When it was written, in epoch milliseconds of Redis: clocks of processes differ. */
  at: number;
}

/**
 * `silent`: the process has sent no heartbeat for ten seconds: it is frozen, or has ended without a
 * shutdown. `stuck`: its jobs make no progress.
 */
export type WorkerState = 'up' | 'stuck' | 'silent';

export interface WorkerReport extends Heartbeat {
  state: WorkerState;
}

const keyOf = (prefix: string) => `${prefix}:heartbeats`;

async function timeOf(redis: Redis): Promise<number> {
  const [seconds] = await redis.time();
  return Number(seconds) * second;
}

/**
 * Writes the heartbeat of a worker two seconds after the last one: whether it reaches the database,
 * and the progress of its queues.
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
    const at = await timeOf(redis);
    const heartbeat: Heartbeat = { id, host: hostname(), mongodb: isUp ? 'up' : 'down', queues, at };
    if (!ended) await redis.hset(keyOf(prefix), id, JSON.stringify(heartbeat));
  };
  let timer: NodeJS.Timeout | undefined;
  // One after the other: while Redis is unreachable, commands wait for it.
  const beatLater = () => {
    if (ended) return;
    timer = setTimeout(() => {
      const written = beat().catch((error: unknown) => log.warn('heartbeat not written', errorFields(error)));
      void written.then(beatLater);
    }, interval);
  };
  await beat();
  beatLater();
  return async () => {
    clearTimeout(timer);
    ended = true;
    await redis.hdel(keyOf(prefix), id);
  };
}

/**
 * The last heartbeats of all workers, except those that were shut down, and those that are silent
 * for ten minutes.
 */
export async function readHeartbeats(redis: Redis, prefix: string): Promise<WorkerReport[]> {
  const [stored, now] = await Promise.all([redis.hgetall(keyOf(prefix)), timeOf(redis)]);
  const heartbeats = Object.values(stored).map((json) => JSON.parse(json) as Heartbeat);
  const expired = heartbeats.filter(({ at }) => now - at > lifetime);
  if (expired.length > 0) await redis.hdel(keyOf(prefix), ...expired.map(({ id }) => id));
  return heartbeats
    .filter((heartbeat) => !expired.includes(heartbeat))
    .map((heartbeat) => ({ ...heartbeat, state: stateOf(heartbeat, now - heartbeat.at) }));
}

function stateOf({ queues }: Heartbeat, age: number): WorkerState {
  if (age > silentAfter) return 'silent';
  return queues.some(({ stuckMs }) => stuckMs >= stalledAfter) ? 'stuck' : 'up';
}
