import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import { rateLimited } from '../../shared/errors.ts';
import type { Metrics } from '../../shared/metrics/metrics.ts';
import type { AppContext, Caller } from './context.ts';
import { setRateLimitHeaders } from './rate-limiter.ts';
import { createWaitingRequests } from './waiting-requests.ts';

/**
 * Bounds the requests in progress in this process. Both return a function that ends the request. A refusal takes one to
 * three seconds: a caller that repeats refused requests at once would occupy the event loop with refusals.
 */
export interface ConcurrentRequests {
  /**
   * Counts a request while its credentials are checked, which are read from the database.
   * @throws AppError RATE_LIMITED
   */
  enterNetwork(ctx: AppContext, network: string): Promise<() => void>;
  /**
   * Counts a request until its answer begins.
   * @throws AppError RATE_LIMITED
   */
  enter(ctx: AppContext, caller: Pick<Caller, 'limitKey'>): Promise<() => void>;
}

/** Refusals that began together end one after the other. */
const refusalMs = () => second * (1 + 2 * Math.random());

/** Several accounts can have one network, such as that of a proxy. */
const callersPerNetwork = 2;

export function createConcurrentRequests(
  maxPerCaller: number,
  refusals: Metrics['rateLimitRefusals'],
): ConcurrentRequests {
  const maxPerNetwork = callersPerNetwork * maxPerCaller;
  const ofNetworks = createWaitingRequests(maxPerNetwork);
  const ofCallers = createWaitingRequests(maxPerCaller);
  const orRefuse = async (ctx: AppContext, limit: number, leave: (() => void) | null) => {
    if (leave) return leave;
    refusals.inc({ limit: 'concurrent' });
    await delay(refusalMs());
    setRateLimitHeaders(ctx, { allowed: false, limit, remaining: 0, resetsIn: second });
    throw rateLimited(1, 'Too many requests at once');
  };
  return {
    enterNetwork: (ctx, network) => orRefuse(ctx, maxPerNetwork, ofNetworks.enter({ limitKey: network })),
    enter: (ctx, caller) => orRefuse(ctx, maxPerCaller, ofCallers.enter(caller)),
  };
}
