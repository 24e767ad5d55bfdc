import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { minute, second } from '../../../shared/durations.ts';
import type { Metrics } from '../../../shared/process/metrics/metrics.ts';
import type { AppContext } from '../context.ts';

/** The window of a limit per minute. */
export const minuteInSeconds = minute / second;

/** A limit of requests within a window. */
interface Allowance {
  /** Requests under one name share one count per caller, even if their limits differ. */
  name: string;
  limit: number;
  seconds: number;
}

/** The count of a caller after a request. */
interface RateLimitStatus {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds until the window ends. */
  resetsIn: number;
}

export interface RateLimiter {
  /** Counts a request, or several units at once. */
  consume(allowance: Allowance, caller: string, units?: number): Promise<RateLimitStatus>;
  /** Uncounts a request, or several units. */
  refund(allowance: Allowance, caller: string, units?: number): Promise<RateLimitStatus>;
  /** Reads the count without counting a request. */
  readStatus(allowance: Allowance, caller: string): Promise<RateLimitStatus>;
}

/** Units that a process has counted in Redis in advance, for one caller. */
interface Lease {
  left: number;
  /** Units that Redis has left for other leases. */
  remaining: number;
  /** In the clock of `performance.now()`: the end of the window. */
  endsAt: number;
}

/**
 * The share of what a caller has left that one process takes at once. A limit that has less than
 * this left is counted unit by unit.
 */
const leaseShare = 1 / 100;
/** Callers whose leases a process has. Beyond, all are dropped, which costs each caller a share. */
const maxLeases = 10_000;

/**
 * Counts requests in Redis, in windows that start with a caller's first request. The limit is
 * never exceeded, by concurrent requests to any number of processes. Most requests within a large
 * limit need no command: a process takes a hundredth of what is left at once. So the last requests
 * are counted one by one, and a small limit always is. While Redis is unreachable, every process
 * counts by itself.
 */
export function createRateLimiter(options: {
  redis: Redis;
  prefix: string;
  refusals: Metrics['rateLimitRefusals'];
}): RateLimiter {
  const { redis, prefix, refusals } = options;
  const limiters = new Map<string, RateLimiterRedis>();
  const leases = new Map<string, Lease>();

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

  const leaseOf = (id: string): Lease | undefined => {
    const lease = leases.get(id);
    if (!lease || lease.endsAt > performance.now()) return lease;
    leases.delete(id);
    return undefined;
  };

  const takeLease = async (
    allowance: Allowance,
    caller: string,
    units: number,
    known: Lease | undefined,
  ): Promise<RateLimitStatus> => {
    const limiter = limiterOf(allowance);
    const id = leaseId(allowance, caller);
    let taken = Math.max(units, Math.floor((known?.remaining ?? 0) * leaseShare));
    const counted = await limiter.consume(caller, taken).catch(async (error: unknown) => {
      if (taken === units || !(error instanceof RateLimiterRes)) throw error;
      // Other processes have taken most of what was left.
      await limiter.reward(caller, taken);
      taken = units;
      return limiter.consume(caller, units);
    });
    const status = statusOf(allowance, counted);
    const endsAt = performance.now() + status.resetsIn;
    if (status.remaining * leaseShare < 1) leases.delete(id);
    else {
      if (leases.size >= maxLeases) leases.clear();
      // Concurrent requests can have taken another one.
      const left = (leaseOf(id)?.left ?? 0) + taken - units;
      leases.set(id, { left, remaining: status.remaining, endsAt });
    }
    return { ...status, remaining: status.remaining + taken - units };
  };

  const withLease = (allowance: Allowance, caller: string, counted: RateLimiterRes | null): RateLimitStatus => {
    const status = statusOf(allowance, counted);
    const left = leaseOf(leaseId(allowance, caller))?.left ?? 0;
    return { ...status, remaining: Math.min(status.limit, status.remaining + left) };
  };

  return {
    consume: async (allowance, caller, units = 1) => {
      const lease = leaseOf(leaseId(allowance, caller));
      if (lease && lease.left >= units) {
        lease.left -= units;
        return {
          allowed: true,
          limit: allowance.limit,
          remaining: lease.remaining + lease.left,
          resetsIn: lease.endsAt - performance.now(),
        };
      }
      try {
        return await takeLease(allowance, caller, units, lease);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        leases.delete(leaseId(allowance, caller));
        refusals.inc({ limit: limitLabel(allowance) });
        return { ...statusOf(allowance, error), allowed: false };
      }
    },
    refund: async (allowance, caller, units = 1) =>
      withLease(allowance, caller, await limiterOf(allowance).reward(caller, units)),
    readStatus: async (allowance, caller) => withLease(allowance, caller, await limiterOf(allowance).get(caller)),
  };
}

const leaseId = ({ name, limit }: Allowance, caller: string) => `${name}/${limit}/${caller}`;

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

/** Sets the headers `X-RateLimit-*` of a response. */
export function setRateLimitHeaders(ctx: AppContext, { limit, remaining, resetsIn }: RateLimitStatus): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + resetsIn) / second)));
}
