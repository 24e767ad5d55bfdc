import { emailKeyOf, type User } from '../../shared/accounts/user.model.ts';
import { sha256 } from '../../shared/crypto/sha256.ts';
import type { RouteDeps } from '../app-deps.ts';
import { minuteInSeconds, refuseAtLimit, setRateLimitHeaders } from '../http/access/rate-limiter.ts';
import type { AppContext } from '../http/context.ts';
import type { Credentials } from './accounts.schema.ts';
import { findUserByEmail, wrongCredentials } from './auth.store.ts';
import type { HashRequest } from './passwords.ts';

/**
 * The account of an e-mail address and its password. Failed attempts are counted.
 * @throws AppError AUTH_ERROR, the same for an unknown address and a wrong password; RATE_LIMITED.
 */
export async function checkCredentials(
  { email, password }: Credentials,
  ctx: AppContext,
  deps: RouteDeps,
): Promise<User> {
  const { models, passwords } = deps;
  const { hashRequest, refund } = await countLoginAttempt(ctx, emailKeyOf(email), deps);
  const user = await findUserByEmail(models, email);
  // For an unknown address, a comparison runs too, so that the time does not show whether the
  // account exists.
  const matches = await passwords.matches(password, user?.passwordHash, hashRequest);
  if (!user || !matches) throw wrongCredentials();
  await refund();
  return user;
}

/**
 * How many times more failed logins an account allows than an address. One address cannot lock an
 * account, and many addresses together cannot guess passwords indefinitely.
 */
const accountFactor = 10;

/**
 * Counts a login by address and by account, before the password is compared. Otherwise many
 * concurrent logins could compare more passwords than the limit allows. A login that is refused
 * because too many wait counts too, so its repeat does not precede others.
 * @returns `refund` uncounts the attempt after a successful login, because only failed ones count.
 * @throws AppError RATE_LIMITED
 */
export async function countLoginAttempt(
  ctx: AppContext,
  accountKey: string,
  { rateLimiter, config }: RouteDeps,
): Promise<{ hashRequest: HashRequest; refund: () => Promise<void> }> {
  const limit = config.rateLimits.login;
  const byAddress = { name: 'login-address', limit, seconds: minuteInSeconds };
  const byAccount = { name: 'login-account', limit: limit * accountFactor, seconds: minuteInSeconds };
  const { network } = ctx.state.caller;
  // Names of keys in Redis must not contain e-mail addresses.
  const account = sha256(accountKey, 'hex');

  const ofAddress = await rateLimiter.consume(byAddress, network);
  if (!ofAddress.allowed) refuseAtLimit(ctx, ofAddress);
  setRateLimitHeaders(ctx, ofAddress);
  const ofAccount = await rateLimiter.consume(byAccount, account);
  if (!ofAccount.allowed) refuseAtLimit(ctx, ofAccount);
  return {
    hashRequest: hashRequestOf(ctx, limit - ofAddress.remaining - 1),
    refund: async () => {
      await rateLimiter.refund(byAccount, account);
      setRateLimitHeaders(ctx, await rateLimiter.refund(byAddress, network));
    },
  };
}

export function hashRequestOf(ctx: AppContext, earlierAttempts = 0): HashRequest {
  return { network: ctx.state.caller.network, earlierAttempts, isAbandoned: () => ctx.res.destroyed };
}
