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
  /** Leases whose share is being counted. */
  const sharing = new Set<string>();

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

  const statusOfLease = ({ limit }: Allowance, { left, remaining, endsAt }: Lease): RateLimitStatus => ({
    allowed: true,
    limit,
    remaining: Math.min(limit, remaining + left),
    resetsIn: endsAt - performance.now(),
  });

  const takeShare = async (limiter: RateLimiterRedis, id: string, caller: string, share: number) => {
    sharing.add(id);
    try {
      return await limiter.consume(caller, share);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      // Other processes have taken most of what was left.
      await limiter.reward(caller, share);
      return undefined;
    } finally {
      sharing.delete(id);
    }
  };

  const countInRedis = async (allowance: Allowance, caller: string, units: number): Promise<RateLimitStatus> => {
    const limiter = limiterOf(allowance);
    const id = leaseId(allowance, caller);
    const share = Math.floor((leaseOf(id)?.remaining ?? 0) * leaseShare);
    // Concurrent requests take no share of their own, or they would take everything that is left.
    const shared = share > units && !sharing.has(id) ? await takeShare(limiter, id, caller, share) : undefined;
    const status = statusOf(allowance, shared ?? (await limiter.consume(caller, units)));
    const left = (leaseOf(id)?.left ?? 0) + (shared ? share - units : 0);
    const lease = { left, remaining: status.remaining, endsAt: performance.now() + status.resetsIn };
    if (leases.size >= maxLeases) leases.clear();
    if (left > 0 || status.remaining * leaseShare >= 1) leases.set(id, lease);
    else leases.delete(id);
    return statusOfLease(allowance, lease);
  };

  return {
    consume: async (allowance, caller, units = 1) => {
      const lease = leaseOf(leaseId(allowance, caller));
      if (lease && lease.left >= units) {
        lease.left -= units;
        return statusOfLease(allowance, lease);
      }
      try {
        return await countInRedis(allowance, caller, units);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const late = leaseOf(leaseId(allowance, caller));
        if (late) late.remaining = 0;
        // The share of a concurrent request can have arrived.
        if (late && late.left >= units) {
          late.left -= units;
          return statusOfLease(allowance, late);
        }
        refusals.inc({ limit: limitLabel(allowance) });
        return { ...statusOf(allowance, error), allowed: false };
      }
    },
    refund: async (allowance, caller, units = 1) => {
      const lease = leaseOf(leaseId(allowance, caller));
      if (!lease) return statusOf(allowance, await limiterOf(allowance).reward(caller, units));
      lease.left += units;
      return statusOfLease(allowance, lease);
    },
    readStatus: async (allowance, caller) => {
      const status = statusOf(allowance, await limiterOf(allowance).get(caller));
      const left = leaseOf(leaseId(allowance, caller))?.left ?? 0;
      return { ...status, remaining: Math.min(status.limit, status.remaining + left) };
    },
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
