import { rateLimited } from '../../shared/errors.ts';
import type { ReadingCost } from '../../shared/ingest/reading/entry-limits.ts';
import type { RouteDeps } from '../app-deps.ts';
import { inSeconds, minuteInSeconds } from '../http/access/rate-limiter.ts';
import type { Caller } from '../http/context.ts';

const entryBytes = 200;

/**
 * Handles a request with log entries, and counts its cost against `RATE_LIMIT_INGEST_BYTES` once it
 * has ended. A request is refused by what earlier ones have cost, because the size of a packed body
 * says nothing about its cost. A process knows that from its own last request.
 * @throws AppError RATE_LIMITED before the body is read.
 */
export async function withCost<T>(
  { config, rateLimiter, exhaustedBudgets }: Pick<RouteDeps, 'config' | 'rateLimiter' | 'exhaustedBudgets'>,
  { limitKey }: Pick<Caller, 'limitKey'>,
  handle: (cost: ReadingCost) => Promise<T>,
): Promise<T> {
  const leftMs = (exhaustedBudgets.get(limitKey) ?? 0) - performance.now();
  if (leftMs > 0) throw rateLimited(inSeconds(leftMs));
  exhaustedBudgets.delete(limitKey);
  const allowance = { name: 'ingest-bytes', limit: config.ingest.maxBytesPerMinute, seconds: minuteInSeconds };
  let cost = 0;
  const add = (bytes: number, entries: number) => {
    cost += bytes + entries * entryBytes;
  };
  const charge = async () => {
    const { allowed, resetsIn } = await rateLimiter.consume(allowance, limitKey, cost);
    if (!allowed) exhaustedBudgets.set(limitKey, performance.now() + resetsIn);
  };
  try {
    return await handle({ add });
  } finally {
    // The response does not wait for it.
    if (cost > 0) charge().catch(() => {});
  }
}
