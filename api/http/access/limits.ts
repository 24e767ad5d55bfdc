import type { Resources } from '../../../shared/open-resources.ts';
import type { Metrics } from '../../../shared/process/metrics.ts';
import { createBodyMemory } from '../body/body-memory.ts';
import { createConcurrentRequests, createStartQueue, createWaitingRequests } from './concurrent-requests.ts';
import { createRateLimiter } from './rate-limiter.ts';

export type Limits = ReturnType<typeof createLimits>;

/**
 * The limits of a request, in the order in which it meets them:
 *
 * 1. time: 30 s for all of it to arrive (http-server.ts), and the time of its route until the
 *    response (request-timeout.ts).
 * 2. its turn: requests start from each network in turn, also those that are refused
 *    (concurrent-requests.ts).
 * 3. concurrent requests whose credentials are checked, of its network and with its credentials,
 *    then of its caller: 429 (concurrent-requests.ts).
 * 4. requests per second and per minute by tier: 429 (access.ts, rate-limiter.ts).
 * 5. bytes of log entries per minute: 429 (ingest-budget.ts).
 * 6. bytes of the body, packed and unpacked: 413 (request-body.ts); of all bodies in progress: 503
 *    (body-memory.ts).
 * 7. wrong logins per address and per account: 429 (check-credentials.ts).
 * 8. passwords that wait to be hashed: 503 (passwords.ts).
 * 9. stored things of its caller: API keys and schedules, 409, and unfinished reports, 429
 *    (insert-within-limit.ts); half of the backlog, 503 (backlog.ts).
 * 10. requests of its caller that wait for a worker: 503, and 202 for ingest.
 *
 * Created once per process.
 */
export function createLimits({ config, redis, metrics }: Resources & { metrics: Metrics }) {
  const { rateLimitRefusals: refusals } = metrics;
  return {
    rateLimiter: createRateLimiter({ redis, prefix: config.redisPrefix, refusals }),
    bodyMemory: createBodyMemory(config.maxBodyMemoryBytes),
    concurrentRequests: createConcurrentRequests(config.maxConcurrentRequests, refusals),
    waitForStart: createStartQueue(),
    waitingRequests: createWaitingRequests(config.maxWaitingRequests),
  };
}
