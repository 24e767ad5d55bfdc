import ipaddr from 'ipaddr.js';
import {
  type ApiKey,
  hashOfApiKey,
  looksLikeApiKey,
  prefixOfApiKey,
  recordLastUse,
  type Scope,
  scopes,
} from '../../../shared/accounts/api-key.model.ts';
import type { Role, User } from '../../../shared/accounts/user.model.ts';
import { isSameSecret } from '../../../shared/crypto/sha256.ts';
import { AppError } from '../../../shared/errors.ts';
import { errorFields } from '../../../shared/process/log.ts';
import type { RouteDeps } from '../../app-deps.ts';
import type { AppContext, Caller } from '../context.ts';

/** Identifies the caller by the address only, and ignores credentials. */
export function anonymousCaller(ctx: AppContext): Caller {
  const { address, network } = clientAddress(ctx);
  const id = `address:${network}`;
  return { id, limitKey: id, address, network, user: null, key: null };
}

/**
 * Identifies the caller by the credentials of the request: an API key, an access token, both or
 * none. The key can also be in `Authorization`, as `Bearer` or as the password of `Basic`, because
 * many clients can set nothing else.
 * @throws AppError AUTH_ERROR if the key or the token is not valid, even if the route requires
 * none.
 */
export async function identifyCaller(ctx: AppContext, deps: RouteDeps): Promise<Caller> {
  const anonymous = anonymousCaller(ctx);
  const authorization = ctx.get('Authorization').trim();
  const isBasic = /^Basic\b/i.test(authorization);
  const bearer = bearerOf(authorization) ?? '';
  const isKey = isBasic || looksLikeApiKey(bearer);
  const keyInAuthorization = isBasic ? passwordOf(ctx, authorization) : isKey ? bearer : null;
  const sentKey = ctx.get('X-API-Key').trim() || keyInAuthorization;
  const hasToken = authorization !== '' && !isKey;
  const [key, user] = await Promise.all([
    sentKey === null ? null : readCallerKey({ ...deps, log: ctx.state.log }, sentKey),
    hasToken ? readCallerUser(deps, bearer) : null,
  ]);
  const id = key ? `key:${key.id}` : user ? `user:${user.id}` : anonymous.id;
  const owner = key?.ownerId ?? user?.id;
  return { ...anonymous, id, limitKey: owner === undefined ? anonymous.id : `user:${owner}`, key, user };
}

const bearerOf = (authorization: string) => /^Bearer +(.+)$/i.exec(authorization)?.[1];

/**
 * The password of `Basic`, which must be a key; empty if it cannot be read. Credentials in the
 * address of the dashboard are added by the browser to its other requests too: in requests of its
 * pages and of the address bar, they are ignored.
 */
function passwordOf(ctx: AppContext, authorization: string): string | null {
  const encoded = authorization.slice('Basic'.length).trim();
  const password = /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1] ?? '';
  const isOfBrowser = ['same-origin', 'none'].includes(ctx.get('Sec-Fetch-Site'));
  return isOfBrowser && !looksLikeApiKey(password) ? null : password;
}

/**
 * Reads the key and its owner from the database at every request, so that a revoked key and the
 * keys of a disabled account are refused by all processes at once.
 */
async function readCallerKey({ models, log, tokens }: RouteDeps, sent: string): Promise<Caller['key']> {
  const prefix = prefixOfApiKey(sent);
  const found = prefix === null ? null : await models.apiKey.findOne({ 'secrets.prefix': prefix }).lean<ApiKey>();
  const role = found && isValid(found, prefix, hashOfApiKey(sent)) ? await roleOf(models, found.ownerId) : null;
  if (!found || !role) {
    const reason =
      tokens.kindOf(sent) === null
        ? 'it is mistyped, has expired or was revoked'
        : 'it is a token, which belongs into Authorization: Bearer';
    throw authError(`An API key is required, and the one that was sent is not valid: ${reason}.`);
  }
  recordLastUse(models.apiKey, found).catch((error: unknown) => {
    log.warn('last use of an API key not recorded', errorFields(error));
  });
  // An admin's key with the scope `admin` loses it when its owner becomes a member.
  const granted = found.scopes.filter((scope) => scopesOfRole(role).includes(scope));
  return { id: found._id, ownerId: found.ownerId, ownerRole: role, scopes: granted, tier: found.tier };
}

/**
 * The present role of an account, which its tokens do not know; null if it is disabled or deleted.
 */
async function roleOf({ user }: RouteDeps['models'], id: string): Promise<Role | null> {
  const found = await user.findOne({ _id: id, disabledAt: null }, { role: 1 }).lean<Pick<User, 'role'>>();
  return found?.role ?? null;
}

function isValid({ secrets, expiresAt }: ApiKey, prefix: string | null, hash: string): boolean {
  const now = new Date();
  const secret = secrets.find((candidate) => candidate.prefix === prefix);
  if (!secret || !isSameSecret(secret.hash, hash)) return false;
  return (secret.expiresAt === null || secret.expiresAt > now) && (expiresAt === null || expiresAt > now);
}

/**
 * Reads the session and the account too, so that a logout or a new role has an effect at once, not
 * 15 minutes later.
 */
async function readCallerUser({ models, tokens }: RouteDeps, sent: string): Promise<Caller['user']> {
  const claims = tokens.read('access', sent);
  if (claims) {
    const { userId, sessionId } = claims;
    const [open, role] = await Promise.all([
      models.session.exists({ _id: sessionId, userId, revokedAt: null }),
      roleOf(models, userId),
    ]);
    if (open && role) return { id: userId, role, sessionId };
  }
  throw authError(describeToken(tokens.kindOf(sent)));
}

const tokenAddress = 'POST /api/v1/auth/login gives one';

/** The error without an access token. */
export const tokenRequired = () => authError(`An access token is required, in Authorization: Bearer; ${tokenAddress}.`);

/** The error of what was sent as an access token. */
function describeToken(kind: ReturnType<RouteDeps['tokens']['kindOf']>): string {
  if (kind === 'access') {
    return `The access token is not valid: it has expired, or its session has ended; ${tokenAddress}.`;
  }
  return kind === 'refresh'
    ? 'What was sent as Bearer is a refresh token, not an access token; POST /api/v1/auth/refresh gives one for it.'
    : `What was sent in Authorization is not an access token; ${tokenAddress}.`;
}

export function authError(message: string): AppError {
  return new AppError('AUTH_ERROR', message, { headers: { 'WWW-Authenticate': 'Bearer realm="meterbook"' } });
}

/**
 * Whether the caller has the scope. A key has its own scopes, a user has the scopes of its role.
 */
export function hasScope({ key, user }: Pick<Caller, 'key' | 'user'>, scope: Scope): boolean {
  const granted = key ? key.scopes : user ? scopesOfRole(user.role) : [];
  return granted.includes(scope) || granted.includes('admin');
}

function scopesOfRole(role: Role): readonly Scope[] {
  return role === 'admin' ? scopes : scopes.filter((scope) => scope !== 'admin');
}

/** The user of the access token. @throws AppError AUTH_ERROR without a token. */
export function userOf({ user }: Caller): NonNullable<Caller['user']> {
  if (!user) throw tokenRequired();
  return user;
}

/**
 * The address that Koa determines by the number of trusted proxies; the socket's address if that is
 * not an IP address. The network counts as one caller, because a host has all of its /64.
 */
export function clientAddress(ctx: AppContext): Pick<Caller, 'address' | 'network'> {
  const parsed = parseAddress(ctx.ip) ?? parseAddress(ctx.req.socket.remoteAddress ?? '');
  if (!parsed) return { address: 'unknown', network: 'unknown' };
  const address = parsed.toString();
  if (parsed.kind() === 'ipv4') return { address, network: address };
  return { address, network: `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64` };
}

/** Some proxies write an address with its port: `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withPort = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const { v6, v4 } = withPort.exec(text)?.groups ?? {};
  const address = v6 ?? v4 ?? text;
  // A listener for IPv4 and IPv6 reports IPv4 addresses in the form of IPv6; `process` converts
  // them to IPv4.
  return ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address) ? ipaddr.process(address) : null;
}
