import { second } from '../../../shared/durations.ts';
import { rateLimited } from '../../../shared/errors.ts';
import type { Metrics } from '../../../shared/process/metrics/metrics.ts';
import type { AppContext, Caller } from '../context.ts';
import { setRateLimitHeaders } from './rate-limiter.ts';
import { createWaitingRequests } from './waiting-requests.ts';

/**
 * Bounds the requests in progress in this process. Both return a function that ends the request.
 */
export interface ConcurrentRequests {
  /**
   * Counts a request while its credentials are checked, which are read from the database.
   * @throws AppError RATE_LIMITED
   */
  enterNetwork(ctx: AppContext, network: string): () => void;
  /**
   * Counts a request until its response begins.
   * @throws AppError RATE_LIMITED
   */
  enter(ctx: AppContext, caller: Pick<Caller, 'limitKey'>): () => void;
}

/** Several accounts can have one network, such as that of a proxy. */
const callersPerNetwork = 2;

export function createConcurrentRequests(
  maxPerCaller: number,
  refusals: Metrics['rateLimitRefusals'],
): ConcurrentRequests {
  const maxPerNetwork = callersPerNetwork * maxPerCaller;
  const ofNetworks = createWaitingRequests(maxPerNetwork);
  const ofCallers = createWaitingRequests(maxPerCaller);
  const orRefuse = (ctx: AppContext, limit: number, leave: (() => void) | null) => {
    if (leave) return leave;
    refusals.inc({ limit: 'concurrent' });
    setRateLimitHeaders(ctx, { allowed: false, limit, remaining: 0, resetsIn: second });
    throw rateLimited(1, 'Too many requests at once');
  };
  return {
    enterNetwork: (ctx, network) => orRefuse(ctx, maxPerNetwork, ofNetworks.enter({ limitKey: network })),
    enter: (ctx, caller) => orRefuse(ctx, maxPerCaller, ofCallers.enter(caller)),
  };
}
