import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { UpstreamError } from '../notebook-backends/upstream-error.ts';

const pollMs = 10;

/** Deletes the lock unless it has expired and another process holds it. */
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Runs `work` while no other process changes the same notebook. Some backends are changed by a read and a write, and
 * the backend and the service's record must receive changes in the same order. The lock of a process that died expires
 * after `expiryMs`, which must be longer than the longest duration of `work`.
 * @throws UpstreamError if the signal aborts before the lock is free.
 */
export async function withNotebookLock<T>(
  options: { redis: Redis; prefix: string; notebookId: string; signal: AbortSignal; expiryMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const { redis, prefix, notebookId, signal, expiryMs } = options;
  const key = `${prefix}:notebook-lock:${notebookId}`;
  const owner = randomUUID();
  while ((await redis.set(key, owner, 'PX', expiryMs, 'NX')) !== 'OK') {
    if (signal.aborted)
      throw new UpstreamError({ reason: 'another change of the notebook is in progress', retryable: true });
    await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    await redis.eval(releaseScript, 1, key, owner);
  }
}
