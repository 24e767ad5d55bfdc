import Router from '@koa/router';
import { AppError } from '../../../shared/errors.ts';
import { revokeSessions } from '../../../shared/models/session.model.ts';
import { emailKeyOf, type User } from '../../../shared/models/user.model.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createPasswords } from '../../auth/passwords.ts';
import { createTokens } from '../../auth/tokens.ts';
import { sendWithTag } from '../../middleware/entity-tag.ts';
import { jsonBody } from '../../middleware/json-body.ts';
import { userOf } from '../../request/caller.ts';
import type { AppContext, AppState } from '../../request/context.ts';
import { createRateLimiter } from '../../request/rate-limiter.ts';
import { validate } from '../../validation/validate.ts';
import {
  changePassword,
  createUser,
  findUser,
  findUserByEmail,
  openSession,
  refreshSession,
  refuseWhenClosed,
  type TokenPair,
  wrongCredentials,
} from './account-store.ts';
import { presentTokens, presentUser } from './auth.presenter.ts';
import { loginBody, passwordBody, refreshBody, registerBody } from './auth.schemas.ts';
import { createLoginThrottle } from './login-throttle.ts';

/** `/api/v1/auth`: accounts and their tokens. */
export function authRoutes({ models, redis, config }: AppDeps): Router<AppState> {
  const router = new Router<AppState>({ prefix: '/api/v1/auth' });
  const { registration, tokenSecret } = config.auth;
  const tokens = createTokens(tokenSecret);
  const passwords = createPasswords();
  const throttle = createLoginThrottle(
    createRateLimiter({ redis, prefix: config.redisPrefix }),
    config.rateLimits.login,
  );

  router.post('/register', jsonBody(), async (ctx) => {
    const { email, password } = validate(registerBody, ctx.request.body);
    await refuseWhenClosed(models, registration);
    const passwordHash = await passwords.hash(password);
    const user = await createUser(models, { email, passwordHash }, registration);
    ctx.status = 201;
    ctx.set('Location', '/api/v1/auth/me');
    sendTokens(ctx, user, await openSession(models, tokens, user));
  });

  router.post('/login', jsonBody(), async (ctx) => {
    const { email, password } = validate(loginBody, ctx.request.body);
    const takeBack = await throttle.begin(ctx, emailKeyOf(email));
    const user = await findUserByEmail(models, email);
    // Compared also where there is no account: neither answer nor time tells whether there is one.
    const right = await passwords.matches(password, user?.passwordHash);
    if (!user || !right) throw wrongCredentials();
    await takeBack();
    sendTokens(ctx, user, await openSession(models, tokens, user));
  });

  router.post('/refresh', jsonBody(), async (ctx) => {
    const { refresh_token: sent } = validate(refreshBody, ctx.request.body);
    const { user, pair } = await refreshSession(models, tokens, sent);
    sendTokens(ctx, user, pair);
  });

  router.post('/logout', async (ctx) => {
    await revokeSessions(models.session, { _id: userOf(ctx).sessionId });
    ctx.status = 204;
  });

  router.get('/me', async (ctx) => {
    const user = await findUser(models, userOf(ctx).id);
    sendWithTag(ctx, `"${user.updatedAt.getTime()}"`, presentUser(user));
  });

  router.post('/password', jsonBody(), async (ctx) => {
    const { current_password: current, new_password: next } = validate(passwordBody, ctx.request.body);
    const user = await findUser(models, userOf(ctx).id);
    const takeBack = await throttle.begin(ctx, user.emailKey);
    const changed =
      (await passwords.matches(current, user.passwordHash)) &&
      (await changePassword(models, user, await passwords.hash(next)));
    if (!changed) throw new AppError('FORBIDDEN', 'The current password is wrong.');
    await takeBack();
    // Every session has ended; this is the caller's new one.
    sendTokens(ctx, changed, await openSession(models, tokens, changed));
  });

  return router;
}

/** No cache between here and the caller may keep them. */
function sendTokens(ctx: AppContext, user: User, pair: TokenPair): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = presentTokens(user, pair);
}
