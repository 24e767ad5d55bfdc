import { AppError, rateLimited } from '../../shared/errors.ts';
import type { RouteDeps } from '../app-deps.ts';
import { inSeconds, minuteInSeconds } from '../http/access/rate-limiter.ts';
import type { Caller } from '../http/context.ts';

/**
 * Counts the entries of a request against `RATE_LIMIT_INGEST_ENTRIES`: all of them or, when it is
 * refused, none.
 * @throws AppError RATE_LIMITED; PAYLOAD_TOO_LARGE if the request could not be accepted at any
 * time.
 */
export async function countEntries(
  entries: number,
  { limitKey }: Pick<Caller, 'limitKey'>,
  { config, rateLimiter }: Pick<RouteDeps, 'config' | 'rateLimiter'>,
): Promise<void> {
  const limit = config.ingest.maxEntriesPerMinute;
  if (limit === null || entries === 0) return;
  if (entries > limit) {
    throw new AppError('PAYLOAD_TOO_LARGE', `The body has ${entries} log entries, and ${limit} a minute are allowed.`);
  }
  const allowance = { name: 'ingest-entries', limit, seconds: minuteInSeconds };
  const { allowed, resetsIn } = await rateLimiter.consume(allowance, limitKey, entries);
  if (allowed) return;
  // A smaller request may still fit.
  await rateLimiter.refund(allowance, limitKey, entries);
  throw rateLimited(inSeconds(resetsIn));
}
