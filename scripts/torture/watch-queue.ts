import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { MongoClient } from 'mongodb';
import type { History } from './history.ts';

const pollMs = 200;

/** Records how many batches have overflowed. Returns when the signal aborts. */
export async function watchOverflow(mongo: MongoClient, history: History, over: AbortSignal): Promise<void> {
  const rows = mongo.db().collection('overflowed_batches');
  while (!over.aborted) {
    // The store can be disturbed.
    const batches = await rows.countDocuments().catch(() => 0);
    if (batches > 0) history.add({ type: 'overflow', at: history.now(), batches });
    await delay(pollMs, undefined, { signal: over }).catch(() => {});
  }
}

/**
 * Records how far the queue has drained. A batch leaves the spool after it was stored, so that
 * entries that were acknowledged before a moment are stored when all batches of that moment have
 * left it. Returns when the signal aborts.
 */
export async function watchQueue(
  { redisUrl, redisPrefix }: { redisUrl: string; redisPrefix: string },
  history: History,
  over: AbortSignal,
): Promise<void> {
  const redis = new Redis<'legacy'>(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  over.addEventListener('abort', () => redis.disconnect());
  const prefix = `${redisPrefix}:{ingest-entries}`;
  const isSpooled = async (ids: readonly string[]) =>
    ids.length > 0 && (await redis.exists(...ids.map((id) => `${prefix}:spool:${id}`))) > 0;
  while (!over.aborted) {
    // Redis refuses commands while it starts, and the connection is closed at the end.
    await waitUntilDrained().catch(() => {});
    await delay(pollMs, undefined, { signal: over }).catch(() => {});
  }

  async function waitUntilDrained(): Promise<void> {
    const until = history.now();
    const ids = await redis.zrange(`${prefix}:spool-slots`, '0', '-1');
    while (await isSpooled(ids)) await delay(pollMs, undefined, { signal: over });
    history.add({ type: 'drained', at: history.now(), until });
  }
}
