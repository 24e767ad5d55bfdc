import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { sha256 } from '../crypto/sha256.ts';
import { second } from '../durations.ts';
import type { Metrics } from '../process/metrics.ts';

export type ReadCache = ReturnType<typeof createReadCache>;

const entryLifetime = 10 * second;
/** Bounds the memory of Redis that the requests of a caller can fill. */
const maxEntryLength = 64 * 1024;

/**
 * A cache in Redis of what is read from the database, for all processes. An entry has the version
 * that it was read in, which is determined before the database is read, and is served in that
 * version only. A write removes the version after it has changed the database, and versions are
 * random, so none comes back. So no read that begins after a write has returned shows what was
 * before it, unless Redis is unreachable for the writer alone: then for the lifetime of an entry.
 */
export function createReadCache(
  { redis, cacheRequests }: { redis: Redis; cacheRequests?: Metrics['cacheRequests'] },
  { prefix, name }: { prefix: string; name: string },
) {
  const versionKey = `${prefix}:${name}:version`;
  // A Redis without free memory accepts a removal.
  const removeVersion = () => redis.del(versionKey).catch(() => {});
  // Redis can have lost its latest changes, and with them a removal.
  redis.on('ready', () => void removeVersion());
  return {
    /**
     * Returns the entry of `key`, or what `load` reads: a value of JSON. `key` is any text that
     * names everything that changes the value. Without Redis, it reads.
     */
    read: async <T>(
      key: string,
      load: () => Promise<T>,
    ): Promise<{ readonly value: T; readonly outcome: 'hit' | 'miss' }> => {
      const entryKey = `${prefix}:${name}:entry:${sha256(key, 'base64url')}`;
      const [version, entry] = await redis.mget(versionKey, entryKey).catch((): undefined[] => []);
      const stored = version && entry?.startsWith(version) ? entry.slice(version.length) : undefined;
      cacheRequests?.inc({ cache: name, result: stored ? 'hit' : 'miss' });
      if (stored) return { value: JSON.parse(stored) as T, outcome: 'hit' };
      if (version === null) redis.set(versionKey, randomUUID(), 'NX').catch(() => {});
      const value = await load();
      const json = JSON.stringify(value);
      if (version && json.length <= maxEntryLength) {
        redis.set(entryKey, version + json, 'PX', entryLifetime).catch(() => {});
      }
      return { value, outcome: 'miss' };
    },
    /** Makes a change that can alter what any entry shows. */
    invalidate: async <T>(change: () => Promise<T>): Promise<T> => {
      try {
        return await change();
      } finally {
        await removeVersion();
      }
    },
  };
}
