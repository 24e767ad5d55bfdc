import type { Config } from '../../shared/config/config.ts';
import { rateLimited } from '../../shared/errors.ts';
import type { ReadingCost } from '../../shared/ingest/reading/read-entries.ts';
import { inSeconds, minuteInSeconds, type RateLimiter } from '../http/access/rate-limiter.ts';
import type { Caller } from '../http/context.ts';

const entryBytes = 200;

interface Deps {
  config: Pick<Config, 'ingest'>;
  rateLimiter: RateLimiter;
}

/**
 * Handles a request with log entries, and counts its cost against `RATE_LIMIT_INGEST_BYTES` once it
 * has ended. A request is refused
 * by what earlier ones have cost, because the size of a packed body says nothing about its cost.
 * @throws AppError RATE_LIMITED before the body is read.
 */
export async function withCost<T>(
  { config, rateLimiter }: Deps,
  { limitKey }: Pick<Caller, 'limitKey'>,
  handle: (cost: ReadingCost) => Promise<T>,
): Promise<T> {
  const allowance = { name: 'ingest-bytes', limit: config.ingest.maxBytesPerMinute, seconds: minuteInSeconds };
  const { allowed, resetsIn } = await rateLimiter.consume(allowance, limitKey);
  if (!allowed) throw rateLimited(inSeconds(resetsIn));
  let cost = 0;
  const add = (bytes: number, entries: number) => {
    cost += bytes + entries * entryBytes;
  };
  try {
    return await handle({ add });
  } finally {
    // The response does not wait for it.
    if (cost > 0) rateLimiter.consume(allowance, limitKey, cost).catch(() => {});
  }
}
