import { createHash } from 'node:crypto';
import { rateLimited } from '../../../shared/errors.ts';
import type { AppContext } from '../../request/context.ts';
import { inSeconds, perMinute, type RateLimiter, showStanding } from '../../request/rate-limiter.ts';

/**
 * How many more wrong passwords an account takes than an address: one address can not lock anybody out, and many
 * together can not try passwords for ever.
 */
const accountFactor = 10;

export interface LoginThrottle {
  /**
   * Counts an attempt before the password is looked at, so that of many at once no more are looked at than may be wrong.
   * @returns what takes the attempt back, for when the password was right.
   * @throws AppError RATE_LIMITED
   */
  begin(ctx: AppContext, accountKey: string): Promise<() => Promise<void>>;
}

export function createLoginThrottle(limiter: RateLimiter, limit: number): LoginThrottle {
  const byAddress = { name: 'login-address', limit, seconds: perMinute };
  const byAccount = { name: 'login-account', limit: limit * accountFactor, seconds: perMinute };
  return {
    begin: async (ctx, accountKey) => {
      const { address } = ctx.state.caller;
      // E-mail addresses do not belong into the names of keys.
      const account = createHash('sha256').update(accountKey).digest('hex');
      const ofAddress = await limiter.take(byAddress, address);
      showStanding(ctx, ofAddress);
      if (!ofAddress.allowed) throw rateLimited(inSeconds(ofAddress.resetsIn));
      const ofAccount = await limiter.take(byAccount, account);
      if (!ofAccount.allowed) {
        showStanding(ctx, ofAccount);
        throw rateLimited(inSeconds(ofAccount.resetsIn));
      }
      return async () => {
        showStanding(ctx, await limiter.giveBack(byAddress, address));
        await limiter.giveBack(byAccount, account);
      };
    },
  };
}
