import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { WithLock } from './backends/jupyter-backend.ts';
import { UpstreamError } from './backends/upstream-error.ts';

/**
 * Pauses between two attempts to acquire the lock double, because its holder calls the backend,
 * which takes between a few milliseconds and seconds.
 */
const firstPauseMs = 10;
const longestPauseMs = 160;

/** Deletes the lock unless it has expired and another process holds it. */
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * @returns a function that runs work while no other process changes the same notebook, or gives the
 * same name to a file. Some backends are changed by a read and a write, and the backend and the
 * service's record must receive changes in the same order. The lock of a process that died expires
 * after longer than any attempt at a call takes. The function rejects with UpstreamError if the
 * signal of the call aborts before the lock is free.
 */
export function notebookLock({ redis, config }: Pick<WorkerDeps, 'redis' | 'config'>): WithLock {
  const expiryMs = config.notebooks.deadlineMs + second;
  return async (lockedId, { signal }, work) => {
    const key = `${config.redisPrefix}:notebook-lock:${lockedId}`;
    const owner = randomUUID();
    let pauseMs = firstPauseMs;
    while ((await redis.set(key, owner, 'PX', expiryMs, 'NX')) !== 'OK') {
      // The pause ends early when the signal aborts.
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw new UpstreamError('another change of the notebook is in progress', { retryable: true });
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
    try {
      return await work();
    } finally {
      await redis.eval(releaseScript, 1, key, owner);
    }
  };
}
