import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { second } from '../../shared/durations.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { WithLock } from './backends/jupyter-backend.ts';
import { UpstreamError } from './backends/upstream-error.ts';

/** The lock that adapters of backends use for what is not one notebook. */
export const backendLock =
  ({ redis, config }: Pick<WorkerDeps, 'redis' | 'config'>): WithLock =>
  (key, { signal }, work) =>
    withNotebookLock({ ...lockSettings({ redis, config }), lockedId: key, signal }, work);

/** Where locks are, and how long an abandoned one lasts: longer than any attempt at a call. */
export const lockSettings = ({ redis, config }: Pick<WorkerDeps, 'redis' | 'config'>) => ({
  redis,
  prefix: config.redisPrefix,
  expiryMs: config.notebooks.deadlineMs + second,
});

/**
 * Pauses between two attempts to acquire the lock double, because its holder calls the backend,
 * which takes between a few milliseconds and seconds.
 */
const firstPauseMs = 10;
const longestPauseMs = 160;

/** Deletes the lock unless it has expired and another process holds it. */
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Runs `work` while no other process changes the same notebook, or gives the same name to a file.
 * Some backends are changed by a read and a write, and the backend and the service's record must
 * receive changes in the same order. The lock of a process that died expires after `expiryMs`,
 * which must be longer than the longest duration of `work`.
 * @throws UpstreamError if the signal aborts before the lock is free.
 */
export async function withNotebookLock<T>(
  options: { redis: Redis; prefix: string; lockedId: string; signal: AbortSignal; expiryMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const { redis, prefix, lockedId, signal, expiryMs } = options;
  const key = `${prefix}:notebook-lock:${lockedId}`;
  const owner = randomUUID();
  let pauseMs = firstPauseMs;
  while ((await redis.set(key, owner, 'PX', expiryMs, 'NX')) !== 'OK') {
    // The pause ends early when the signal aborts.
    await delay(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted)
      throw new UpstreamError({ reason: 'another change of the notebook is in progress', retryable: true });
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
  try {
    return await work();
  } finally {
    await redis.eval(releaseScript, 1, key, owner);
  }
}
