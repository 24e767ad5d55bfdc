import { rateLimited } from '../../shared/errors.ts';
import type { RouteDeps } from '../app-deps.ts';
import type { AppContext } from './context.ts';
import { inSeconds, minuteInSeconds, setRateLimitHeaders } from './rate-limiter.ts';

/** Limits requests with invalid API keys per network, as failed logins are. Hashes are those of whole keys. */
export interface InvalidKeys {
  /**
   * Refuses a key before the database is read, if the network is at its limit. Keys that were accepted before pass, so that
   * one misconfigured client does not stop the others of its network.
   * @throws AppError RATE_LIMITED
   */
  requireBelowLimit(ctx: AppContext, network: string, hash: string): Promise<void>;
  /** @throws AppError RATE_LIMITED if the network is above its limit. */
  count(ctx: AppContext, network: string, hash?: string): Promise<void>;
  accept(hash: string): void;
}

/** Number of accepted keys that a process remembers. */
const maxAccepted = 10_000;

export function createInvalidKeys({ rateLimiter, config }: Pick<RouteDeps, 'rateLimiter' | 'config'>): InvalidKeys {
  const allowance = { name: 'invalid-key', limit: config.rateLimits.login, seconds: minuteInSeconds };
  const accepted = new Set<string>();

  async function count(ctx: AppContext, network: string, hash?: string): Promise<void> {
    if (hash !== undefined) accepted.delete(hash);
    const status = await rateLimiter.take(allowance, network);
    if (status.allowed) return;
    setRateLimitHeaders(ctx, status);
    throw rateLimited(inSeconds(status.resetsIn), 'Too many requests of this network had invalid API keys');
  }

  return {
    requireBelowLimit: async (ctx, network, hash) => {
      if (accepted.has(hash)) return;
      const { remaining } = await rateLimiter.readStatus(allowance, network);
      if (remaining === 0) await count(ctx, network);
    },
    count,
    accept: (hash) => {
      accepted.add(hash);
      const [oldest] = accepted;
      if (accepted.size > maxAccepted && oldest !== undefined) accepted.delete(oldest);
    },
  };
}
