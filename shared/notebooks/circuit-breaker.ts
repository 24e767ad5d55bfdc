import type { Redis } from 'ioredis';
import { minute, second } from '../durations.ts';

interface BreakerState {
  open: boolean;
  failures: number;
  /** Reason of the latest failure. It is shown to callers. */
  reason: string;
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/**
 * The circuit opens after this number of consecutive failures over at least `minFailureTime`.
 * Without this time, a few concurrent failures of a backend that mostly works would open the
 * circuit on a busy service.
 */
const failureThreshold = 5;
const defaultMinFailureTime = 3 * second;
const probeInterval = 1 * second;
/** Time for which a state without failures is cached, so that not every call reads Redis. */
const healthyCacheTime = 100;
const failureLifetime = 1 * minute;

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

/**
 * The circuit breaker of the notebook backend. Its state is in Redis, for all processes. Workers
 * record the outcome of their calls and probes, and read the state before each call.
 * `/health/ready` shows the problem. All times are read from Redis, so that the clocks of the
 * processes can differ.
 */
export function createCircuitBreaker({
  redis,
  prefix,
  minFailureTime = defaultMinFailureTime,
}: {
  redis: Redis;
  prefix: string;
  /** Minimum duration of consecutive failures before the circuit opens, in milliseconds. */
  minFailureTime?: number;
}) {
  const key = `${prefix}:notebook-breaker`;
  const problemKey = `${key}:problem`;
  let lastHealthyAt = Number.NEGATIVE_INFINITY;
  const stored = async (): Promise<BreakerState> => {
    const [open, failures, reason] = await redis.hmget(key, 'open', 'failures', 'reason');
    return { open: open === '1', failures: Number(failures ?? 0), reason: reason ?? '' };
  };
  /** Why notebooks cannot be used, by the circuit or the latest probe; empty if they can. */
  const problem = async (): Promise<string> => {
    const [{ open, reason }, probed] = await Promise.all([stored(), redis.get(problemKey)]);
    return open ? reason : (probed ?? 'no worker has probed it yet');
  };
  return {
    problem,
    /** Reads the state. A state without failures can be up to `healthyCacheTime` old. */
    state: async (): Promise<BreakerState> => {
      if (performance.now() - lastHealthyAt < healthyCacheTime) return { open: false, failures: 0, reason: '' };
      const readAt = performance.now();
      const state = await stored();
      lastHealthyAt = state.failures === 0 ? readAt : Number.NEGATIVE_INFINITY;
      return state;
    },
    recordSuccess: async (): Promise<void> => {
      await redis.del(key);
    },
    /** @returns whether the circuit is open after this failure. */
    recordFailure: async (reason: string): Promise<boolean> => {
      lastHealthyAt = Number.NEGATIVE_INFINITY;
      return (await redis.eval(countFailure, 1, key, reason, failureThreshold, minFailureTime, failureLifetime)) === 1;
    },
    /**
     * While there is a problem, returns true once a second over all processes. That process can
     * call the backend.
     */
    claimProbe: async (): Promise<boolean> => {
      if ((await problem()) === '') return false;
      return (await redis.set(`${key}:probe`, '1', 'PX', probeInterval, 'NX')) === 'OK';
    },
    /**
     * Records the problem that a probe found; empty if it found none. It suspends
     * no calls.
     * @returns whether the problem differs from that of the previous probe.
     */
    recordProbe: async (found: string): Promise<boolean> => (await redis.set(problemKey, found, 'GET')) !== found,
  };
}
