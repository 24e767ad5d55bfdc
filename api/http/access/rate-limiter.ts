import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { minute, second } from '../../../shared/durations.ts';
import { rateLimited } from '../../../shared/errors.ts';
import type { Metrics } from '../../../shared/process/metrics.ts';
import type { AppContext } from '../context.ts';

export const minuteInSeconds = minute / second;

interface Allowance {
  /** Requests under one name share one count per caller, even if their limits differ. */
  name: string;
  limit: number;
  seconds: number;
}

interface RateLimitStatus {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds until the window ends. */
  resetsIn: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Counts requests in Redis, in windows that start with a caller's first request. The limit is
 * never exceeded, by concurrent requests to any number of processes. While Redis is unreachable,
 * every process counts by itself.
 */
export function createRateLimiter(options: { redis: Redis; prefix: string; refusals: Metrics['rateLimitRefusals'] }) {
  const { redis, prefix, refusals } = options;
  const limiters = new Map<string, RateLimiterRedis>();

  const limiterOf = ({ name, limit: points, seconds: duration }: Allowance) => {
    const id = `${name}/${points}/${duration}`;
    let limiter = limiters.get(id);
    if (!limiter) {
      const keyPrefix = `${prefix}:limit:${name}`;
      limiter = new RateLimiterRedis({
        storeClient: redis,
        rejectIfRedisNotReady: true,
        keyPrefix,
        points,
        duration,
        insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
      });
      limiters.set(id, limiter);
    }
    return limiter;
  };

  return {
    /** Counts a request, or several units at once. */
    consume: async (allowance: Allowance, caller: string, units = 1): Promise<RateLimitStatus> => {
      try {
        return statusOf(allowance, await limiterOf(allowance).consume(caller, units));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        refusals.inc({ limit: limitLabel(allowance) });
        return { ...statusOf(allowance, error), allowed: false };
      }
    },
    refund: async (allowance: Allowance, caller: string) =>
      statusOf(allowance, await limiterOf(allowance).reward(caller)),
    /** Reads the count without counting a request. */
    readStatus: async (allowance: Allowance, caller: string) =>
      statusOf(allowance, await limiterOf(allowance).get(caller)),
  };
}

/** The limits of bursts are named after their routes. */
const limitLabel = ({ name }: Allowance) => (name.startsWith('burst:') ? 'burst' : name);

function statusOf({ limit, seconds }: Allowance, counted: RateLimiterRes | null): RateLimitStatus {
  return {
    allowed: true,
    limit,
    // A request that is uncounted after the end of its window must not raise the limit of the next
    // window.
    remaining: Math.min(limit, Math.max(0, counted?.remainingPoints ?? limit)),
    resetsIn: counted && counted.msBeforeNext > 0 ? counted.msBeforeNext : seconds * second,
  };
}

/** Converts a wait to the value of `Retry-After`: whole seconds, at least one. */
export const inSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / second));

/** @throws AppError RATE_LIMITED, after the headers of the limit are set. */
export function refuseAtLimit(ctx: AppContext, status: RateLimitStatus): never {
  setRateLimitHeaders(ctx, status);
  throw rateLimited(inSeconds(status.resetsIn));
}

export function setRateLimitHeaders(ctx: AppContext, { limit, remaining, resetsIn }: RateLimitStatus): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + resetsIn) / second)));
}
