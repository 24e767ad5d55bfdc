import type { Resources } from '../../../shared/open-resources.ts';
import type { Metrics } from '../../../shared/process/metrics/metrics.ts';
import { type BodyMemory, createBodyMemory } from '../body/body-memory.ts';
import {
  type ConcurrentRequests,
  createConcurrentRequests,
  createWaitingRequests,
  type WaitingRequests,
} from './concurrent-requests.ts';
import { createInvalidKeys, type InvalidKeys } from './invalid-keys.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/** The limits of callers and of the process, created once per process. */
export interface AccessDeps {
  rateLimiter: RateLimiter;
  invalidKeys: InvalidKeys;
  bodyMemory: BodyMemory;
  concurrentRequests: ConcurrentRequests;
  waitingRequests: WaitingRequests;
}

export function createAccessDeps({
  config,
  redis,
  metrics: { rateLimitRefusals: refusals },
}: Pick<Resources, 'config' | 'redis'> & { metrics: Pick<Metrics, 'rateLimitRefusals'> }): AccessDeps {
  const rateLimiter = createRateLimiter({ redis, prefix: config.redisPrefix, refusals });
  return {
    rateLimiter,
    invalidKeys: createInvalidKeys({ rateLimiter, config }),
    bodyMemory: createBodyMemory(config.maxBodyMemoryBytes),
    concurrentRequests: createConcurrentRequests(config.maxConcurrentRequests, refusals),
    waitingRequests: createWaitingRequests(config.maxWaitingRequests),
  };
}
