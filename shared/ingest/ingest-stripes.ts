import type { RedisClient } from '../connections/redis-client.ts';
import type { Stripes } from '../queues/stripes.ts';

/** Notes the greatest number of stripes that any process has used. */
const noteScript = `
local known = tonumber(redis.call('GET', KEYS[1]) or '1')
if tonumber(ARGV[1]) <= known then return known end
redis.call('SET', KEYS[1], ARGV[1])
return tonumber(ARGV[1])`;

/**
 * The stripes of the ingest queue. If more were configured before, workers also process the jobs
 * that are left in those.
 */
export async function noteIngestStripes(
  { redis, prefix }: { redis: RedisClient; prefix: string },
  used: number,
): Promise<Stripes> {
  return { used, known: (await redis.eval(noteScript, 1, `${prefix}:ingest-stripes`, used)) as number };
}
