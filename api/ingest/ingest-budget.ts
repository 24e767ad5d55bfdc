import type { Config } from '../../shared/config/config.ts';
import { second } from '../../shared/durations.ts';
import { rateLimited } from '../../shared/errors.ts';
import { inSeconds, minuteInSeconds, type RateLimiter } from '../http/access/rate-limiter.ts';
import type { Caller } from '../http/context.ts';

const entryBytes = 200;

/** Counts what a request has read: unpacked bytes of its body, and entries. */
export type CountRead = (bytes: number, entries?: number) => void;

/** How long few bytes wait for others, which are then charged together. */
const chargeDelay = 1 * second;
const smallBytes = 1024 * 1024;

/**
 * Creates a function, once per process, that handles a request with log entries, and counts its
 * bytes against `RATE_LIMIT_INGEST_BYTES` once it has ended. The bytes of earlier requests refuse
 * one, because a packed body does not show its size. A process knows them from its own last charge.
 * The function throws the AppError RATE_LIMITED before the body is read.
 */
export function createIngestBudget(config: Config['ingest'], rateLimiter: RateLimiter) {
  /** Bytes of callers that have not been charged. */
  const uncharged = new Map<string, number>();
  /** Callers above the limit: when their minute ends, by `performance.now()`. */
  const exhausted = new Map<string, number>();
  const allowance = { name: 'ingest-bytes', limit: config.maxBytesPerMinute, seconds: minuteInSeconds };

  const charge = async (caller: string) => {
    const bytes = uncharged.get(caller) ?? 0;
    uncharged.delete(caller);
    if (bytes === 0) return;
    try {
      const { allowed, resetsIn } = await rateLimiter.consume(allowance, caller, bytes);
      if (!allowed) exhausted.set(caller, performance.now() + resetsIn);
    } catch {
      // Without Redis, the process counts alone, so this is a Redis that refuses.
    }
  };

  return async <T>(
    { limitKey }: Pick<Caller, 'limitKey'>,
    handle: (countRead: CountRead) => Promise<T>,
  ): Promise<T> => {
    const leftMs = (exhausted.get(limitKey) ?? 0) - performance.now();
    if (leftMs > 0) throw rateLimited(inSeconds(leftMs));
    exhausted.delete(limitKey);
    let read = 0;
    try {
      return await handle((bytes, entries = 0) => {
        read += bytes + entries * entryBytes;
      });
    } finally {
      if (read > 0) {
        const others = uncharged.get(limitKey);
        const sum = read + (others ?? 0);
        uncharged.set(limitKey, sum);
        // The response does not wait for it.
        if (sum > smallBytes) void charge(limitKey);
        else if (others === undefined) setTimeout(() => void charge(limitKey), chargeDelay).unref();
      }
    }
  };
}
