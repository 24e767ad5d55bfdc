import type { Redis } from 'ioredis';
import { second } from '../durations.ts';
import { errorFields, type Log } from './log.ts';

const interval = 2 * second;
const lifetime = 10 * second;

const keyOf = (prefix: string) => `${prefix}:worker-heartbeat`;

/** Writes the heartbeat of a worker every two seconds. @returns a function that stops the heartbeat. */
export async function startHeartbeat(redis: Redis, prefix: string, log: Log): Promise<() => void> {
  const beat = async () => {
    await redis.set(keyOf(prefix), new Date().toISOString(), 'PX', lifetime);
  };
  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) => log.warn('heartbeat not written', errorFields(error)));
  }, interval);
  return () => clearInterval(timer);
}

/** Whether any worker has written a heartbeat within the last ten seconds. */
export async function isWorkerAlive(redis: Redis, prefix: string): Promise<boolean> {
  return (await redis.exists(keyOf(prefix))) === 1;
}
