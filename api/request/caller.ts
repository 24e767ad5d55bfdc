import { AppError } from '../../shared/errors.ts';
import { type ApiKey, recordLastUse, type Scope, scopes } from '../../shared/models/api-key.model.ts';
import type { Role } from '../../shared/models/user.model.ts';
import { errorFields } from '../../shared/runtime/log.ts';
import type { RouteDeps } from '../app-deps.ts';
import { hashOfApiKey, isSameHash, prefixOfApiKey } from '../auth/api-key-format.ts';
import { clientAddress } from './client-address.ts';
import type { AppContext, Caller } from './context.ts';

type Deps = Pick<RouteDeps, 'models' | 'log' | 'tokens'>;

/** Identifies the caller by the address only, and ignores credentials. */
export function anonymousCaller(ctx: AppContext): Caller {
  const { address, network } = clientAddress(ctx);
  const id = `address:${network}`;
  return { id, limitKey: id, address, network, user: null, key: null };
}

/**
 * Identifies the caller by the credentials of the request: an API key, an access token, both or none.
 * @throws AppError AUTH_ERROR if the key or the token is not valid, even if the route requires none.
 */
export async function identifyCaller(ctx: AppContext, deps: Deps): Promise<Caller> {
  const anonymous = anonymousCaller(ctx);
  const sentKey = ctx.get('X-API-Key').trim();
  const authorization = ctx.get('Authorization').trim();
  // Browsers add the Basic credentials of the dashboard to every request.
  const hasToken = authorization !== '' && !/^Basic\b/i.test(authorization);
  const [key, user] = await Promise.all([
    sentKey === '' ? null : readCallerKey(deps, sentKey),
    hasToken ? readCallerUser(deps, /^Bearer +(.+)$/i.exec(authorization)?.[1] ?? '') : null,
  ]);
  const id = key ? `key:${key.id}` : user ? `user:${user.id}` : anonymous.id;
  const owner = key?.ownerId ?? user?.id;
  return { ...anonymous, id, limitKey: owner === undefined ? anonymous.id : `user:${owner}`, key, user };
}

/** Reads the key from the database at every request, so that a revoked key is refused by all processes at once. */
async function readCallerKey({ models, log }: Deps, sent: string): Promise<Caller['key']> {
  const prefix = prefixOfApiKey(sent);
  const found = prefix === null ? null : await models.apiKey.findOne({ 'secrets.prefix': prefix }).lean<ApiKey>();
  if (!found || !isValid(found, prefix, hashOfApiKey(sent))) {
    throw authError('The API key is not valid: it is mistyped, has expired or was revoked.');
  }
  recordLastUse(models.apiKey, found).catch((error: unknown) => {
    log.warn('last use of an API key not recorded', errorFields(error));
  });
  return { id: found._id, ownerId: found.ownerId, scopes: found.scopes, tier: found.tier };
}

function isValid({ secrets, expiresAt }: ApiKey, prefix: string | null, hash: string): boolean {
  const now = new Date();
  const secret = secrets.find((candidate) => candidate.prefix === prefix);
  if (!secret || !isSameHash(secret.hash, hash)) return false;
  return (secret.expiresAt === null || secret.expiresAt > now) && (expiresAt === null || expiresAt > now);
}

/** Reads the session too, so that a token is invalid from the logout on, and not up to 15 minutes later. */
async function readCallerUser({ models, tokens }: Deps, sent: string): Promise<Caller['user']> {
  const claims = tokens.read('access', sent);
  if (claims) {
    const { userId, sessionId, role } = claims;
    const open = await models.session.exists({ _id: sessionId, userId, revokedAt: null });
    if (open) return { id: userId, role, sessionId };
  }
  throw authError('The access token is not valid: it has expired, or its session has ended.');
}

export function authError(message: string): AppError {
  return new AppError('AUTH_ERROR', message, { headers: { 'WWW-Authenticate': 'Bearer realm="meterbook"' } });
}

/** Whether the caller has the scope. A key has its own scopes, a user has the scopes of its role. */
export function hasScope({ key, user }: Pick<Caller, 'key' | 'user'>, scope: Scope): boolean {
  const granted = key ? key.scopes : user ? scopesOfRole(user.role) : [];
  return granted.includes(scope) || granted.includes('admin');
}

function scopesOfRole(role: Role): readonly Scope[] {
  return role === 'admin' ? scopes : scopes.filter((scope) => scope !== 'admin');
}

/** The user of the access token. @throws AppError AUTH_ERROR without a token. */
export function userOf({ user }: Caller): NonNullable<Caller['user']> {
  if (!user) throw authError('An access token is required: Authorization: Bearer.');
  return user;
}
