import { isIP } from 'node:net';
import { AppError } from '../../shared/errors.ts';
import { errorFields } from '../../shared/log.ts';
import { type ApiKey, noteUse, type Scope, scopes } from '../../shared/models/api-key.model.ts';
import type { Role } from '../../shared/models/user.model.ts';
import type { AppDeps } from '../app-deps.ts';
import { hashOfApiKey, isSameHash, prefixOfApiKey } from '../auth/api-key-format.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { AppContext, Caller } from './context.ts';

/** The caller by its address alone, whatever credentials it has sent. */
export function anonymousCaller(ctx: AppContext): Caller {
  const address = addressOf(ctx);
  return { id: `address:${address}`, address, user: null, key: null };
}

/**
 * The caller by the credentials that it has sent, of either kind or both.
 * @throws AppError AUTH_ERROR when one of them is not good, whether it was asked for or not.
 */
export async function identifyCaller(
  ctx: AppContext,
  deps: Pick<AppDeps, 'models' | 'log'>,
  tokens: Tokens,
): Promise<Caller> {
  const anonymous = anonymousCaller(ctx);
  const sentKey = ctx.get('X-API-Key').trim();
  const authorization = ctx.get('Authorization').trim();
  // Browsers send along what the dashboard has asked them for.
  const hasToken = authorization !== '' && !/^Basic\b/i.test(authorization);
  const [key, user] = await Promise.all([
    sentKey === '' ? null : callerKey(deps, sentKey),
    hasToken ? callerUser(deps, tokens, /^Bearer +(.+)$/i.exec(authorization)?.[1] ?? '') : null,
  ]);
  const id = key ? `key:${key.id}` : user ? `user:${user.id}` : anonymous.id;
  return { ...anonymous, id, key, user };
}

/** Asked of the database at every request: a key that was revoked anywhere is refused everywhere, at once. */
async function callerKey({ models, log }: Pick<AppDeps, 'models' | 'log'>, sent: string): Promise<Caller['key']> {
  const prefix = prefixOfApiKey(sent);
  const found = prefix === null ? null : await models.apiKey.findOne({ 'secrets.prefix': prefix }).lean<ApiKey>();
  if (!found || !isGood(found, prefix, hashOfApiKey(sent))) {
    throw authError('A valid API key is required: this one is mistyped, has expired or was revoked.');
  }
  noteUse(models.apiKey, found).catch((error: unknown) => log.warn('use of a key not noted', errorFields(error)));
  return { id: found._id, ownerId: found.ownerId, scopes: found.scopes, tier: found.tier };
}

function isGood({ secrets, expiresAt }: ApiKey, prefix: string | null, hash: string): boolean {
  const now = new Date();
  const secret = secrets.find((candidate) => candidate.prefix === prefix);
  if (!secret || !isSameHash(secret.hash, hash)) return false;
  return (secret.expiresAt === null || secret.expiresAt > now) && (expiresAt === null || expiresAt > now);
}

/** The session is asked for as well, so that a token ends with the logout, not a quarter of an hour later. */
async function callerUser({ models }: Pick<AppDeps, 'models'>, tokens: Tokens, sent: string): Promise<Caller['user']> {
  const claims = tokens.read('access', sent);
  if (claims) {
    const { userId, sessionId, role } = claims;
    const open = await models.session.exists({ _id: sessionId, userId, revokedAt: null });
    if (open) return { id: userId, role, sessionId };
  }
  throw authError('The access token is not valid: it has expired, or its session is over.');
}

export function authError(message: string): AppError {
  return new AppError('AUTH_ERROR', message, { headers: { 'WWW-Authenticate': 'Bearer realm="meterbook"' } });
}

/** What a caller may do: a key what it was made for, a user everything that the role allows. */
export function mayUse({ key, user }: Pick<Caller, 'key' | 'user'>, scope: Scope): boolean {
  const granted = key ? key.scopes : user ? scopesOfRole(user.role) : [];
  return granted.includes(scope) || granted.includes('admin');
}

function scopesOfRole(role: Role): readonly Scope[] {
  return role === 'admin' ? scopes : scopes.filter((scope) => scope !== 'admin');
}

/** The address that Koa has found, as the number of trusted proxies has it; never text that somebody made up. */
function addressOf(ctx: AppContext): string {
  const candidates = [ctx.ip, ctx.req.socket.remoteAddress ?? ''];
  const address = candidates.find((candidate) => isIP(candidate) !== 0) ?? 'unknown';
  // An IPv4 caller of a listener on both.
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The user of a route that takes an access token. */
export function userOf(ctx: AppContext): NonNullable<Caller['user']> {
  const { user } = ctx.state.caller;
  if (!user) throw authError('An access token is required: Authorization: Bearer.');
  return user;
}
