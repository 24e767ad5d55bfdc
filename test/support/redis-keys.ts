import { createRedis } from '../../shared/connections/redis.ts';
import { mastersOf, type RedisClient } from '../../shared/connections/redis-client.ts';

/** The keys that match a pattern, of all masters. */
export async function findKeys(redis: RedisClient, pattern: string): Promise<string[]> {
  const found = await Promise.all(mastersOf(redis).map((master) => master.keys(pattern)));
  return found.flat();
}

/** Removes every key that starts with `prefix`, without blocking the server. */
export async function deleteKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = createRedis(redisUrl, { lazyConnect: true });
  try {
    await redis.connect();
    const pattern = `${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
    for (const master of mastersOf(redis)) {
      for await (const keys of master.scanStream({ match: pattern, count: 1_000 })) {
        // One by one, because the keys of a Cluster are in several slots.
        await Promise.all((keys as string[]).map((key) => master.unlink(key)));
      }
    }
  } finally {
    redis.disconnect();
  }
}
