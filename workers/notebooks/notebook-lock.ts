import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { UpstreamError } from '../notebook-backends/upstream-error.ts';

const pollMs = 10;

const releaseOwn = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Runs `work` while no other process changes the same notebook: some backends change by reading and writing back, and a
 * change must reach the backend and our record in one order. A lock whose holder died lets go after `holdMs`, which is
 * longer than the holder may work.
 * @throws UpstreamError when the signal aborts before the lock is free.
 */
export async function withNotebookLock<T>(
  options: { redis: Redis; prefix: string; notebookId: string; signal: AbortSignal; holdMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const { redis, prefix, notebookId, signal, holdMs } = options;
  const key = `${prefix}:notebook-lock:${notebookId}`;
  const owner = randomUUID();
  while ((await redis.set(key, owner, 'PX', holdMs, 'NX')) !== 'OK') {
    if (signal.aborted)
      throw new UpstreamError({ reason: 'another change of the notebook is under way', retryable: true });
    await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    await redis.eval(releaseOwn, 1, key, owner);
  }
}
