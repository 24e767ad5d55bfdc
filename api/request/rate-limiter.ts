import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { minute, second } from '../../shared/durations.ts';
import type { AppContext } from './context.ts';

/** Seconds of the window of a limit that is given by the minute. */
export const perMinute = minute / second;

/** A count of requests, and how many it may reach. */
export interface Allowance {
  /** Requests of one name share one count a caller, whatever the limit. */
  name: string;
  limit: number;
  seconds: number;
}

/** How a caller stands after a request. */
export interface RateLimitStatus {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** In milliseconds, until the count begins anew. */
  resetsIn: number;
}

export interface RateLimiter {
  take(allowance: Allowance, caller: string): Promise<RateLimitStatus>;
  giveBack(allowance: Allowance, caller: string): Promise<RateLimitStatus>;
  look(allowance: Allowance, caller: string): Promise<RateLimitStatus>;
}

/**
 * Counts requests in Redis, in windows that begin with a caller's first request: of many at once, over any number of
 * processes, exactly as many pass as may. While Redis is away every process counts for itself.
 */
export function createRateLimiter({ redis, prefix }: { redis: Redis; prefix: string }): RateLimiter {
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
    take: async (allowance, caller) => {
      try {
        return standing(allowance, await limiterOf(allowance).consume(caller));
      } catch (error) {
        if (error instanceof RateLimiterRes) return { ...standing(allowance, error), allowed: false };
        throw error;
      }
    },
    giveBack: async (allowance, caller) => standing(allowance, await limiterOf(allowance).reward(caller)),
    look: async (allowance, caller) => standing(allowance, await limiterOf(allowance).get(caller)),
  };
}

function standing({ limit, seconds }: Allowance, counted: RateLimiterRes | null): RateLimitStatus {
  return {
    allowed: true,
    limit,
    // What was given back after its window had ended is no credit for the next.
    remaining: Math.min(limit, Math.max(0, counted?.remainingPoints ?? limit)),
    resetsIn: counted && counted.msBeforeNext > 0 ? counted.msBeforeNext : seconds * second,
  };
}

/** A wait as `Retry-After` has it: whole seconds, at least one. */
export const inSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / second));

/** Tells the caller how it stands, in the headers of its answer. */
export function setRateLimitHeaders(ctx: AppContext, { limit, remaining, resetsIn }: RateLimitStatus): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + resetsIn) / second)));
}
