import { sha256 } from '../../shared/crypto/sha256.ts';
import { rateLimited } from '../../shared/errors.ts';
import type { RouteDeps } from '../app-deps.ts';
import { inSeconds, minuteInSeconds, setRateLimitHeaders } from '../http/access/rate-limiter.ts';
import type { AppContext } from '../http/context.ts';
import type { HashRequest } from './hash-queue.ts';

/**
 * How many times more failed logins an account allows than an address. One address cannot lock an
 * account, and many addresses together cannot guess passwords indefinitely.
 */
const accountFactor = 10;

interface LoginAttempt {
  /** For the comparison of the password. */
  hashRequest: HashRequest;
  /** Uncounts the attempt after a successful login, because only failed logins count. */
  refund(): Promise<void>;
  /**
   * Returns the result of a comparison. If the comparison is refused or fails, the attempt is
   * uncounted.
   */
  during<Result>(comparison: Promise<Result>): Promise<Result>;
}

/**
 * Counts a login by address and by account, before the password is compared. Otherwise many
 * concurrent logins could compare more passwords than the limit allows.
 * @throws AppError RATE_LIMITED
 */
export async function countLoginAttempt(
  ctx: AppContext,
  accountKey: string,
  { rateLimiter, config }: Pick<RouteDeps, 'rateLimiter' | 'config'>,
): Promise<LoginAttempt> {
  const limit = config.rateLimits.login;
  const byAddress = { name: 'login-address', limit, seconds: minuteInSeconds };
  const byAccount = { name: 'login-account', limit: limit * accountFactor, seconds: minuteInSeconds };
  const { network } = ctx.state.caller;
  // Names of keys in Redis must not contain e-mail addresses.
  const account = sha256(accountKey, 'hex');

  let earlierAttempts = 0;
  for (const [allowance, subject] of [[byAddress, network] as const, [byAccount, account] as const]) {
    const status = await rateLimiter.consume(allowance, subject);
    if (allowance === byAddress) earlierAttempts = limit - status.remaining - 1;
    if (allowance === byAddress || !status.allowed) setRateLimitHeaders(ctx, status);
    if (!status.allowed) throw rateLimited(inSeconds(status.resetsIn));
  }
  const refund = async () => {
    const [status] = await Promise.all([
      rateLimiter.refund(byAddress, network),
      rateLimiter.refund(byAccount, account),
    ]);
    setRateLimitHeaders(ctx, status);
  };
  return {
    hashRequest: hashRequestOf(ctx, earlierAttempts),
    refund,
    during: async (comparison) => {
      try {
        return await comparison;
      } catch (error) {
        await refund();
        throw error;
      }
    },
  };
}

export function hashRequestOf(ctx: AppContext, earlierAttempts = 0): HashRequest {
  return { network: ctx.state.caller.network, earlierAttempts, isAbandoned: () => ctx.res.destroyed };
}
