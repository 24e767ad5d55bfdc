import type { Config } from '../../../shared/config/config.ts';
import { rateLimited } from '../../../shared/errors.ts';
import type { AppContext } from '../context.ts';
import { inSeconds, minuteInSeconds, type RateLimiter, setRateLimitHeaders } from './rate-limiter.ts';

/**
 * Limits requests with invalid API keys per network, as failed logins are. Hashes are those of
 * whole keys.
 */
export interface InvalidKeys {
  /**
   * Reads a key, which counts as invalid until it is read: many concurrent requests could otherwise
   * read more keys than the limit allows. Keys that were accepted before are read first, so that
   * one misconfigured client does not stop the others of its network.
   * @param read returns null for an invalid key.
   * @throws AppError RATE_LIMITED if the network is at its limit.
   */
  check<Key>(ctx: AppContext, network: string, hash: string, read: () => Promise<Key | null>): Promise<Key | null>;
}

/** Number of accepted keys that a process remembers. */
const maxAccepted = 10_000;

export function createInvalidKeys({
  rateLimiter,
  config,
}: {
  rateLimiter: RateLimiter;
  config: Pick<Config, 'rateLimits'>;
}): InvalidKeys {
  const allowance = { name: 'invalid-key', limit: config.rateLimits.login, seconds: minuteInSeconds };
  const accepted = new Set<string>();
  const firstReads = new Map<string, Promise<unknown>>();

  async function count(ctx: AppContext, network: string): Promise<void> {
    const status = await rateLimiter.consume(allowance, network);
    if (status.allowed) return;
    // A key that was not read can be valid, beside many that are being read: it must not use up the
    // limit.
    await rateLimiter.refund(allowance, network);
    setRateLimitHeaders(ctx, status);
    throw rateLimited(inSeconds(status.resetsIn), 'Too many requests of this network had invalid API keys');
  }

  async function readCounted<Key>(network: string, hash: string, read: () => Promise<Key | null>): Promise<Key | null> {
    let isInvalid = false;
    try {
      const key = await read();
      isInvalid = key === null;
      if (!isInvalid) accept(hash);
      return key;
    } finally {
      if (!isInvalid) await rateLimiter.refund(allowance, network);
    }
  }

  function accept(hash: string): void {
    accepted.add(hash);
    const [oldest] = accepted;
    if (accepted.size > maxAccepted && oldest !== undefined) accepted.delete(oldest);
  }

  return {
    check: async (ctx, network, hash, read) => {
      // Only the first of concurrent requests with a valid new key is counted. All share a failure
      // of the database.
      await firstReads.get(hash);
      if (accepted.has(hash)) {
        const key = await read();
        if (key !== null) return key;
        accepted.delete(hash);
        await count(ctx, network);
        return null;
      }
      const counted = count(ctx, network);
      const reading = counted.then(() => readCounted(network, hash, read));
      const settled = counted.then(
        () => reading,
        () => {},
      );
      settled.catch(() => {});
      if (!firstReads.has(hash)) firstReads.set(hash, settled);
      try {
        return await reading;
      } finally {
        if (firstReads.get(hash) === settled) firstReads.delete(hash);
      }
    },
  };
}
