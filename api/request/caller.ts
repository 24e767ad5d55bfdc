import { AppError } from '../../shared/errors.ts';
import { type ApiKey, recordLastUse, type Scope, scopes } from '../../shared/models/api-key.model.ts';
import type { Role, User } from '../../shared/models/user.model.ts';
import { errorFields } from '../../shared/runtime/log.ts';
import type { RouteDeps } from '../app-deps.ts';
import { hashOfApiKey, isSameHash, looksLikeApiKey, prefixOfApiKey } from '../auth/api-key-format.ts';
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
 * @param options.keyInAuthorization whether the API key can also be sent in `Authorization`, as `Bearer` or as the
 * password of `Basic`, because many log shippers can set nothing else.
 * @throws AppError AUTH_ERROR if the key or the token is not valid, even if the route requires none.
 */
export async function identifyCaller(
  ctx: AppContext,
  deps: Deps,
  { keyInAuthorization = false }: { keyInAuthorization?: boolean } = {},
): Promise<Caller> {
  const anonymous = anonymousCaller(ctx);
  const authorization = ctx.get('Authorization').trim();
  const authorizationKey = keyInAuthorization ? keyOf(authorization) : null;
  const sentKey = ctx.get('X-API-Key').trim() || authorizationKey;
  // Browsers add the Basic credentials of the dashboard to every request.
  const hasToken = authorization !== '' && authorizationKey === null && !/^Basic\b/i.test(authorization);
  const [key, user] = await Promise.all([
    sentKey === null || sentKey === '' ? null : readCallerKey(deps, sentKey),
    hasToken ? readCallerUser(deps, bearerOf(authorization) ?? '') : null,
  ]);
  const id = key ? `key:${key.id}` : user ? `user:${user.id}` : anonymous.id;
  const owner = key?.ownerId ?? user?.id;
  return { ...anonymous, id, limitKey: owner === undefined ? anonymous.id : `user:${owner}`, key, user };
}

const bearerOf = (authorization: string) => /^Bearer +(.+)$/i.exec(authorization)?.[1];

/** The API key in a header `Authorization`; null if there is none. */
function keyOf(authorization: string): string | null {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1];
  const password = encoded && /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1];
  const candidate = password ?? bearerOf(authorization) ?? '';
  return looksLikeApiKey(candidate) ? candidate : null;
}

/**
 * Reads the key and its owner from the database at every request, so that a revoked key and the keys of a disabled account
 * are refused by all processes at once.
 */
async function readCallerKey({ models, log }: Deps, sent: string): Promise<Caller['key']> {
  const prefix = prefixOfApiKey(sent);
  const found = prefix === null ? null : await models.apiKey.findOne({ 'secrets.prefix': prefix }).lean<ApiKey>();
  const role = found && isValid(found, prefix, hashOfApiKey(sent)) ? await roleOf(models, found.ownerId) : null;
  if (!found || !role) {
    throw authError('The API key is not valid: it is mistyped, has expired or was revoked.');
  }
  recordLastUse(models.apiKey, found).catch((error: unknown) => {
    log.warn('last use of an API key not recorded', errorFields(error));
  });
  // An admin's key with the scope `admin` loses it when its owner becomes a member.
  const granted = found.scopes.filter((scope) => scopesOfRole(role).includes(scope));
  return { id: found._id, ownerId: found.ownerId, ownerRole: role, scopes: granted, tier: found.tier };
}

/** The present role of an account, which its tokens do not know; null if it is disabled or deleted. */
async function roleOf({ user }: Pick<Deps['models'], 'user'>, id: string): Promise<Role | null> {
  const found = await user.findOne({ _id: id, disabledAt: null }, { role: 1 }).lean<Pick<User, 'role'>>();
  return found?.role ?? null;
}

function isValid({ secrets, expiresAt }: ApiKey, prefix: string | null, hash: string): boolean {
  const now = new Date();
  const secret = secrets.find((candidate) => candidate.prefix === prefix);
  if (!secret || !isSameHash(secret.hash, hash)) return false;
  return (secret.expiresAt === null || secret.expiresAt > now) && (expiresAt === null || expiresAt > now);
}

/** Reads the session and the account too, so that a logout or a new role has an effect at once, not 15 minutes later. */
async function readCallerUser({ models, tokens }: Deps, sent: string): Promise<Caller['user']> {
  const claims = tokens.read('access', sent);
  if (claims) {
    const { userId, sessionId } = claims;
    const [open, role] = await Promise.all([
      models.session.exists({ _id: sessionId, userId, revokedAt: null }),
      roleOf(models, userId),
    ]);
    if (open && role) return { id: userId, role, sessionId };
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
