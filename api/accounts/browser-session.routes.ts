import { parseCookie, stringifySetCookie } from 'cookie';
import type { User } from '../../shared/accounts/user.model.ts';
import { digestUuid } from '../../shared/crypto/sha256.ts';
import { AppError } from '../../shared/errors.ts';
import { publicAccess } from '../http/access/access-rules.ts';
import { authError } from '../http/access/caller.ts';
import type { AppContext } from '../http/context.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { Joi } from '../http/input.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { browserSessionResponse, loginBody, presentBrowserSession } from './accounts.schema.ts';
import { authTag, unreachable } from './auth.routes.ts';
import { endAllSessions, endSession, openSession, refreshSession, type TokenPair } from './auth.store.ts';
import { checkCredentials } from './check-credentials.ts';
import { hashOfToken, type SignedToken } from './tokens.ts';

export const browserSessionPath = '/api/v1/auth/browser-session';

const opened = json(browserSessionResponse, { headers: ['Set-Cookie'] });
const otherPage = { FORBIDDEN: 'The request comes from a page of another origin (`Sec-Fetch-Site`).' };

/**
 * `/api/v1/auth/browser-session`: sessions whose refresh token is in a cookie that scripts cannot
 * read.
 */
export function browserSessionRoutes(): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: browserSessionPath,
      operationId: 'openBrowserSession',
      idempotency: 'none',
      tag: authTag,
      summary: 'Start the session of a page in a browser',
      description: [
        'Like a login, but the refresh token is in a cookie that scripts cannot read.',
        'Ends the session of a cookie that is sent.',
      ].join(' '),
      access: publicAccess,
      limit: { name: 'login' },
      headers: browserHeaders,
      body: { schema: loginBody, example: { email: 'jane@example.com', password: 'correct horse battery' } },
      responses: { 201: opened },
      errors: { AUTH_ERROR: 'The e-mail address or the password is wrong.', ...otherPage, ...unreachable },
      handle: async ({ body, ctx }, deps) => {
        requireOwnPage(ctx);
        const { models, tokens } = deps;
        const user = await checkCredentials(body, ctx, deps);
        const pair = await openSession(models, tokens, user);
        // The new cookie replaces the one of an earlier session, which could not be ended
        // afterwards.
        await endSession(models, tokens, readSessionCookie(ctx));
        return reply(201, ...responseOf(ctx, user, pair));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${browserSessionPath}/refresh`,
      operationId: 'refreshBrowserSession',
      idempotency: 'lock',
      tag: authTag,
      summary: 'Exchange the cookie of a browser session for a new access token and a new cookie',
      description: [
        'A cookie is valid for one use; a second use ends the session.',
        'If a response was lost, the request can be repeated with the same `Idempotency-Key`.',
      ].join(' '),
      access: { ...publicAccess, sessionCookie: 'required' },
      headers: browserHeaders,
      responses: { 200: opened },
      errors: {
        AUTH_ERROR: 'The cookie is missing or not valid, or its session has ended.',
        ...otherPage,
        ...unreachable,
      },
      handle: async ({ ctx }, { models, tokens }) => {
        requireOwnPage(ctx);
        return removeCookieOnAuthError(ctx, async () => {
          const sent = readSessionCookie(ctx);
          if (sent === null) throw authError('There is no session in this browser: sign in.');
          const key = idempotencyKeyOf(ctx);
          // A session with the id of this key and cookie was rotated by an earlier attempt.
          const rotationId = key && digestUuid(JSON.stringify([key, hashOfToken(sent)]));
          const { user, pair } = await refreshSession(models, tokens, sent, rotationId);
          return reply(200, ...responseOf(ctx, user, pair));
        });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: browserSessionPath,
      operationId: 'endBrowserSession',
      tag: authTag,
      summary: 'End the session of a page in a browser',
      description: [
        'Removes the cookie, also if its session has ended.',
        'To end all sessions, the cookie must be the newest of an open session. API keys stay valid.',
      ].join(' '),
      access: { ...publicAccess, sessionCookie: 'optional' },
      headers: browserHeaders,
      query: endSessionQuery,
      responses: { 204: empty({ headers: ['Set-Cookie'] }) },
      errors: {
        AUTH_ERROR: 'All sessions were to be ended, but the cookie is missing or not valid, or its session has ended.',
        ...otherPage,
        ...unreachable,
      },
      handle: async ({ ctx, query: { everywhere } }, { models, tokens }) => {
        requireOwnPage(ctx);
        const end = everywhere ? endAllSessions : endSession;
        await removeCookieOnAuthError(ctx, () => end(models, tokens, readSessionCookie(ctx)));
        return reply(204, undefined, { 'Set-Cookie': expiredSessionCookie(ctx) });
      },
    }),
  ];
}

/**
 * Refuses requests that a page of another origin causes, also of another host of the same site.
 * Browsers send the header over HTTPS and to localhost, and scripts cannot set it.
 */
function requireOwnPage(ctx: AppContext): void {
  const site = ctx.get('Sec-Fetch-Site');
  if (site === '' || site === 'same-origin') return;
  throw new AppError('FORBIDDEN', 'The session of a browser is for pages of this service only.');
}

function responseOf(ctx: AppContext, user: User, pair: TokenPair) {
  const headers = { 'Set-Cookie': sessionCookie(ctx, pair.refresh) };
  return [presentBrowserSession(user, pair.access), headers] as const;
}

/** Removes a cookie that is never valid again. */
async function removeCookieOnAuthError<Result>(ctx: AppContext, handle: () => Promise<Result>): Promise<Result> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'AUTH_ERROR') throw error;
    const headers = { ...error.headers, 'Set-Cookie': expiredSessionCookie(ctx) };
    throw new AppError(error.code, error.message, { headers, cause: error });
  }
}

const headerValue = 'meterbook';

/**
 * A page of another origin can send this header only after a preflight, which the service does not
 * grant.
 */
const browserHeaders = Joi.object<{ 'X-Requested-With': string }>({
  'X-Requested-With': Joi.string()
    .valid(headerValue)
    .required()
    .example(headerValue)
    .description('Shows that a page of this service sends the request.'),
});

const endSessionQuery = Joi.object<{ everywhere: boolean }>({
  everywhere: Joi.boolean().default(false).description('End all sessions of the account.'),
});

/**
 * The cookie with the refresh token of a page in a browser. Scripts cannot read it, and browsers
 * send it only with requests from pages of the same site.
 */

/**
 * The value of `Set-Cookie` that stores a refresh token for its lifetime. The cookie is sent to all
 * paths, because a proxy can serve the routes under a prefix that the service does not know.
 */
function sessionCookie(ctx: AppContext, { token: value, lifetime: maxAge }: Omit<SignedToken, 'expiresAt'>): string {
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure: ctx.secure } as const;
  return stringifySetCookie({ name: nameOf(ctx), value, maxAge, ...attributes });
}

/** The value of `Set-Cookie` that removes the cookie. */
const expiredSessionCookie = (ctx: AppContext) => sessionCookie(ctx, { token: '', lifetime: 0 });

/** The refresh token that the browser sent, not yet verified; null without the cookie. */
const readSessionCookie = (ctx: AppContext) => parseCookie(ctx.get('Cookie'))[nameOf(ctx)] ?? null;

/**
 * Browsers share cookies among the ports of a host, so the port is part of the name. Browsers
 * accept a name that begins with `__Host-` only over HTTPS, and from no other host of the domain.
 */
function nameOf({ secure, host }: AppContext): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return `${secure ? '__Host-' : ''}meterbook-session${port === undefined ? '' : `-${port}`}`;
}
