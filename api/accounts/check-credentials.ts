import { emailKeyOf, type User } from '../../shared/accounts/user.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import type { AppContext } from '../http/context.ts';
import { findUserByEmail, wrongCredentials } from './account-store.ts';
import type { Credentials } from './auth.schemas.ts';
import { countLoginAttempt, hashRequestOf } from './login-throttle.ts';

/**
 * The account of an e-mail address and its password. Failed attempts are counted.
 * @throws AppError AUTH_ERROR, the same for an unknown address and a wrong password; RATE_LIMITED.
 */
export async function checkCredentials(
  { email, password }: Credentials,
  ctx: AppContext,
  { models, passwords, ...deps }: Pick<RouteDeps, 'models' | 'passwords' | 'rateLimiter' | 'config'>,
): Promise<User> {
  const { attempt, user } = await passwords.prepare(hashRequestOf(ctx), async () => ({
    attempt: await countLoginAttempt(ctx, emailKeyOf(email), deps),
    user: await findUserByEmail(models, email),
  }));
  // For an unknown address, a comparison runs too, so that the time does not show whether the
  // account exists.
  const matches = await attempt.during(passwords.matches(password, user?.passwordHash, attempt.hashRequest));
  if (!user || !matches) throw wrongCredentials();
  await attempt.refund();
  return user;
}
