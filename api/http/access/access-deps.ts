import type { Resources } from '../../../shared/open-resources.ts';
import type { Metrics } from '../../../shared/process/metrics/metrics.ts';
import { type BodyMemory, createBodyMemory } from '../body/request-body.ts';
import {
  type ConcurrentRequests,
  createConcurrentRequests,
  createWaitingRequests,
  type WaitingRequests,
} from './concurrent-requests.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/** The limits of callers and of the process, created once per process. */
export interface AccessDeps {
  rateLimiter: RateLimiter;
  bodyMemory: BodyMemory;
  concurrentRequests: ConcurrentRequests;
  waitingRequests: WaitingRequests;
}

export function createAccessDeps({
  config,
  redis,
  metrics: { rateLimitRefusals: refusals },
}: Pick<Resources, 'config' | 'redis'> & { metrics: Pick<Metrics, 'rateLimitRefusals'> }): AccessDeps {
  return {
    rateLimiter: createRateLimiter({ redis, prefix: config.redisPrefix, refusals }),
    bodyMemory: createBodyMemory(config.maxBodyMemoryBytes),
    concurrentRequests: createConcurrentRequests(config.maxConcurrentRequests, refusals),
    waitingRequests: createWaitingRequests(config.maxWaitingRequests),
  };
}
