import { revokeSessions } from '../../shared/accounts/session.model.ts';
import type { User } from '../../shared/accounts/user.model.ts';
import { AppError } from '../../shared/errors.ts';
import type { RouteDeps } from '../app-deps.ts';
import { accountAccess, publicAccess } from '../http/access/access-rules.ts';
import { userOf } from '../http/access/caller.ts';
import type { AppContext, Operation } from '../http/context.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteTag } from '../http/route.ts';
import {
  loginBody,
  passwordBody,
  passwordResetBody,
  presentTokens,
  presentUser,
  type Registration,
  refreshBody,
  registerBody,
  tokensResponse,
  userResponse,
} from './accounts.schema.ts';
import {
  changePassword,
  createUser,
  findUser,
  openSession,
  refreshSession,
  requireLink,
  requireOpenRegistration,
  usePasswordLink,
} from './auth.store.ts';
import { checkCredentials, countLoginAttempt, hashRequestOf } from './check-credentials.ts';
import { hashOfToken } from './tokens.ts';

export const authTag: RouteTag = { name: 'auth', description: 'Accounts and their sessions.' };

const path = '/api/v1/auth';
/** Routes that create nothing. */
const common = { tag: authTag, idempotency: 'none' } as const;
export const unreachable = {
  SERVICE_UNAVAILABLE: 'The database is unreachable, or too many passwords are being checked.',
};
const newTokens = json(tokensResponse);

export function authRoutes(): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${path}/register`,
      operationId: 'registerAccount',
      tag: authTag,
      summary: 'Create an account',
      description:
        'Outside production, the account is the admin if there is none, also if registration is closed, unless it asks for the role `member`.',
      access: publicAccess,
      audit: { type: 'USER_CREATED' },
      // Hashing a password is the most expensive work that an anonymous caller can cause.
      limit: { name: 'free' },
      body: { schema: registerBody, example: { email: 'jane@example.com', password: 'correct horse battery' } },
      responses: { 201: json(tokensResponse, { headers: ['Location'] }) },
      errors: {
        FORBIDDEN: 'Registration is closed.',
        CONFLICT: 'An account with this e-mail address exists.',
        ...unreachable,
      },
      handle: async ({ body, ctx, operation }, deps) => {
        const { models, tokens } = deps;
        const earlier = operation?.attemptedBefore ? await models.user.findById(operation.id).lean() : null;
        const user = earlier ?? (await register(body, ctx, deps, operation));
        const pair = await openSession(models, tokens, user);
        return reply(201, presentTokens(user, pair), { Location: `${path}/me` });
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/login`,
      operationId: 'logIn',
      summary: 'Start a session',
      access: publicAccess,
      limit: { name: 'login' },
      body: { schema: loginBody, example: { email: 'jane@example.com', password: 'correct horse battery' } },
      responses: { 200: newTokens },
      errors: { AUTH_ERROR: 'The e-mail address or the password is wrong.', ...unreachable },
      handle: async ({ body, ctx }, deps) => {
        const { models, tokens } = deps;
        const user = await checkCredentials(body, ctx, deps);
        return reply(200, presentTokens(user, await openSession(models, tokens, user)));
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/refresh`,
      operationId: 'refreshTokens',
      summary: 'Exchange a refresh token for new tokens',
      description: 'A refresh token is valid for one use; a second use ends the session.',
      access: publicAccess,
      body: { schema: refreshBody, example: { refresh_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6InJ0K2p3dCJ9.e30.c2ln' } },
      responses: { 200: newTokens },
      errors: { AUTH_ERROR: 'The refresh token is not valid, or its session has ended.', ...unreachable },
      handle: async ({ body }, { models, tokens }) => {
        const { user, pair } = await refreshSession(models, tokens, body.refresh_token);
        return reply(200, presentTokens(user, pair));
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/logout`,
      operationId: 'logOut',
      summary: 'End the session',
      access: accountAccess,
      responses: { 204: empty() },
      handle: async ({ caller }, { models }) => {
        await revokeSessions(models.session, { _id: userOf(caller).sessionId });
        return reply(204);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/me`,
      operationId: 'getAccount',
      tag: authTag,
      summary: "Read the caller's account",
      access: accountAccess,
      responses: { 200: json(userResponse, { headers: ['ETag'] }) },
      handle: async ({ caller }, { models }) => {
        const user = await findUser(models, userOf(caller).id);
        return reply(200, presentUser(user), { ETag: `"${user.updatedAt.getTime()}"` });
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/password`,
      operationId: 'changePassword',
      summary: 'Change the password',
      description: 'Ends all sessions of the account and starts a new one.',
      access: accountAccess,
      audit: { type: 'USER_UPDATED', fields: ['password'] },
      limit: { name: 'login' },
      body: {
        schema: passwordBody,
        example: { current_password: 'correct horse battery', new_password: 'another long password' },
      },
      responses: { 200: newTokens },
      errors: { FORBIDDEN: 'The current password is wrong.' },
      handle: async ({ body, caller, ctx }, deps) => {
        const { models, tokens, passwords } = deps;
        const user = await findUser(models, userOf(caller).id);
        const { hashRequest, refund } = await countLoginAttempt(ctx, user.emailKey, deps);
        const matches = await passwords.matches(body.current_password, user.passwordHash, hashRequest);
        const changed =
          matches && (await changePassword(models, user, await passwords.hash(body.new_password, hashRequest)));
        if (!changed) throw new AppError('FORBIDDEN', 'The current password is wrong.');
        await refund();
        return reply(200, presentTokens(changed, await openSession(models, tokens, changed)));
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/password-reset`,
      operationId: 'resetPassword',
      summary: 'Set the password with the token of a password link',
      description:
        'An admin creates the link. It is valid once; its use ends all sessions of the account and starts one.',
      access: publicAccess,
      audit: { type: 'USER_UPDATED', fields: ['password'] },
      // As for a registration: a password is hashed for an anonymous caller.
      limit: { name: 'free' },
      body: {
        schema: passwordResetBody,
        example: { token: 'Qm9va2tlZXBlcnMgbGlrZSBleGFtcGxlcyBvZiB0b2tl', password: 'correct horse battery' },
      },
      responses: { 200: newTokens },
      errors: { AUTH_ERROR: 'The link is mistyped, expired, used or replaced.', ...unreachable },
      handle: async ({ body, ctx }, { models, tokens, passwords }) => {
        const hash = hashOfToken(body.token);
        // A password is hashed only for a link that is valid.
        await requireLink(models, hash);
        const passwordHash = await passwords.hash(body.password, hashRequestOf(ctx));
        const user = await usePasswordLink(models, hash, passwordHash);
        await revokeSessions(models.session, { userId: user._id });
        return reply(200, presentTokens(user, await openSession(models, tokens, user)));
      },
    }),
  ];
}

async function register(
  { email, password, role }: Registration,
  ctx: AppContext,
  { models, passwords, config }: RouteDeps,
  operation: Operation | undefined,
): Promise<User> {
  await requireOpenRegistration(models, config);
  const passwordHash = await passwords.hash(password, hashRequestOf(ctx));
  return createUser(models, { email, passwordHash, role }, config, operation);
}
