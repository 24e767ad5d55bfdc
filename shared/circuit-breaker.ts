import type { Redis } from 'ioredis';
import { minute, second } from './durations.ts';

/**
 * Is the notebook backend known to be down? One state in Redis for all processes: workers report how their calls end
 * and ask before each one, `/health/ready` shows it. Times are those of Redis, so that clocks need not agree.
 */
export interface BreakerState {
  open: boolean;
  /** Failures since the last success. */
  failures: number;
  /** Why the latest of them failed, in words that a caller may see. */
  reason: string;
}

export interface CircuitBreaker {
  /** As it is, or was a moment ago. */
  state(): Promise<BreakerState>;
  succeeded(): Promise<void>;
  /** Counts a failure. @returns whether the circuit is open now. */
  failed(reason: string): Promise<boolean>;
  /** True for one caller a second, over all processes, while the circuit is open: that one may try the backend. */
  takeProbe(): Promise<boolean>;
}

/**
 * Several failures in a row open the circuit, once they have lasted for a while. The time keeps a busy service with a
 * backend that fails now and then from opening it: runs of bad luck are over within milliseconds there.
 */
const failuresToOpen = 5;
const defaultOpenAfterMs = 3 * second;
const probeEvery = 1 * second;
/** A backend that worked a moment ago is not asked for again: that would cost every call a trip to Redis. */
const momentMs = 100;
/** Failures of long ago say nothing about now. */
const memory = 1 * minute;

const countFailure = `
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
redis.call('HSETNX', KEYS[1], 'since', now)
redis.call('HSET', KEYS[1], 'reason', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if failures >= tonumber(ARGV[2]) and now - redis.call('HGET', KEYS[1], 'since') >= tonumber(ARGV[3]) then
  redis.call('HSET', KEYS[1], 'open', 1)
end
return redis.call('HEXISTS', KEYS[1], 'open')`;

export function circuitBreaker({
  redis,
  prefix,
  openAfterMs = defaultOpenAfterMs,
}: {
  redis: Redis;
  prefix: string;
  /** How long failures in a row have to last. */
  openAfterMs?: number;
}): CircuitBreaker {
  const key = `${prefix}:notebook-breaker`;
  let flawlessAt = Number.NEGATIVE_INFINITY;
  const stored = async (): Promise<BreakerState> => {
    const [open, failures, reason] = await redis.hmget(key, 'open', 'failures', 'reason');
    return { open: open === '1', failures: Number(failures ?? 0), reason: reason ?? '' };
  };
  return {
    state: async () => {
      if (performance.now() - flawlessAt < momentMs) return { open: false, failures: 0, reason: '' };
      const asked = performance.now();
      const state = await stored();
      flawlessAt = state.failures === 0 ? asked : Number.NEGATIVE_INFINITY;
      return state;
    },
    succeeded: async () => {
      await redis.del(key);
    },
    failed: async (reason) => {
      flawlessAt = Number.NEGATIVE_INFINITY;
      return (await redis.eval(countFailure, 1, key, reason, failuresToOpen, openAfterMs, memory)) === 1;
    },
    takeProbe: async () => {
      if (!(await stored()).open) return false;
      return (await redis.set(`${key}:probe`, '1', 'PX', probeEvery, 'NX')) === 'OK';
    },
  };
}
