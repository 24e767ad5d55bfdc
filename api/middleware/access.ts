import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { AppError, rateLimited } from '../../shared/errors.ts';
import { tiers } from '../../shared/models/api-key.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { anonymousCaller, authError, hasScope, identifyCaller } from '../request/caller.ts';
import type { AppContext, AppState, Caller } from '../request/context.ts';
import { inSeconds, minuteInSeconds, type RateLimiter, setRateLimitHeaders } from '../request/rate-limiter.ts';
import type { Access, Auth, RouteLimit } from '../routing/access.ts';
import { type Route, routeName } from '../routing/route.ts';

type Deps = Pick<RouteDeps, 'config' | 'models' | 'log' | 'tokens' | 'rateLimiter'>;

/** Applies the access rules of a route: credentials first (401), then the rate limit (429), then the scope (403). */
export function access(route: Pick<Route, 'method' | 'path' | 'access' | 'limit'>, deps: Deps): Middleware<AppState> {
  const name = routeName(route);
  return async (ctx, next) => {
    ctx.state.route = name;
    const caller = await requireCaller(ctx, route.access, deps);
    await countRequest(ctx, name, route.limit, caller, deps);
    requireScope(caller, route.access, deps.config);
    ctx.state.caller = caller;
    return next();
  };
}

/**
 * Checks the credentials of a request again, for an answer that takes long. Nothing is counted.
 * @throws AppError AUTH_ERROR or FORBIDDEN, as for a new request.
 */
export async function checkAccess(
  ctx: AppContext,
  rules: Access,
  deps: Pick<Deps, 'config' | 'models' | 'log' | 'tokens'>,
): Promise<Caller> {
  const caller = await requireCaller(ctx, rules, deps);
  requireScope(caller, rules, deps.config);
  return caller;
}

async function requireCaller(
  ctx: AppContext,
  rules: Access,
  deps: Pick<Deps, 'config' | 'models' | 'log' | 'tokens'>,
): Promise<Caller> {
  const auth = rules.auth[deps.config.auth.mode];
  const caller = identifiesNobody(auth) ? anonymousCaller(ctx) : await identifyCaller(ctx, deps, rules);
  if (auth === 'metricsToken') requireMetricsToken(ctx, deps.config);
  else requireCredentials(caller, auth);
  return caller;
}

const identifiesNobody = (auth: Auth) => auth === 'none' || auth === 'metricsToken';

function requireCredentials({ key, user }: Caller, auth: Auth): void {
  if (auth === 'apiKey' && !key) throw authError('An API key is required, in the header X-API-Key.');
  if (auth === 'apiKeyOrToken' && !key && !user) {
    throw authError('An API key (X-API-Key) or an access token (Authorization: Bearer) is required.');
  }
  if (auth === 'token' && !user) {
    if (key) throw new AppError('FORBIDDEN', 'This route requires an access token of the account, not an API key.');
    throw authError('An access token is required: Authorization: Bearer.');
  }
}

/** Without a token in the configuration, the metrics are open where strangers are not expected, otherwise closed. */
function requireMetricsToken(ctx: AppContext, { metricsToken, auth, environment }: Deps['config']): void {
  if (metricsToken === undefined) {
    if (environment !== 'production' && auth.mode === 'documented') return;
    throw authError('The metrics are not available: METRICS_TOKEN is not set.');
  }
  // Digests have one length, so the comparison takes the same time for any input.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const sent = /^Bearer +(.+)$/i.exec(ctx.get('Authorization').trim())?.[1] ?? '';
  if (!timingSafeEqual(digest(sent), digest(metricsToken))) {
    throw authError('The metrics require METRICS_TOKEN: Authorization: Bearer.');
  }
}

function requireScope({ key, user }: Caller, { scope, auth }: Access, config: Deps['config']): void {
  if (scope === null || (!key && !user)) return;
  const accepted = auth[config.auth.mode] === 'apiKey' ? { key, user: null } : { key, user };
  if (!hasScope(accepted, scope)) throw new AppError('FORBIDDEN', `This route requires the scope ${scope}.`);
}

async function countRequest(
  ctx: AppContext,
  route: string,
  limit: RouteLimit | null,
  caller: Caller,
  { config, rateLimiter }: Pick<Deps, 'config' | 'rateLimiter'>,
): Promise<void> {
  if (!limit) return;
  // The login handler counts failed attempts itself. Before it, an idempotency key costs two writes per request.
  const { name: limitName, burst } = limit;
  const isLogin = limitName === 'login';
  const name = isLogin ? 'default' : limitName;
  const allowance = { name, limit: limitFor(name, caller, config.rateLimits), seconds: minuteInSeconds };
  // A request that exceeds the burst limit is not counted against the limit per minute.
  if (burst !== undefined) await countBurst({ name: `burst:${route}`, limit: burst, seconds: 1 });
  const status = await rateLimiter.take(allowance, caller.limitKey);
  if (!isLogin || !status.allowed) setRateLimitHeaders(ctx, status);
  if (!status.allowed) throw rateLimited(inSeconds(status.resetsIn));

  async function countBurst(burstAllowance: Parameters<RateLimiter['take']>[0]): Promise<void> {
    const { allowed, resetsIn } = await rateLimiter.take(burstAllowance, caller.limitKey);
    if (allowed) return;
    setRateLimitHeaders(ctx, await rateLimiter.readStatus(allowance, caller.limitKey));
    throw rateLimited(inSeconds(resetsIn));
  }
}

/**
 * Returns the configured limit. A key whose tier is not `free` gets the higher of the configured limit and the limit of
 * its tier. This applies only to the limits that are named after a tier, and to `notebooks`.
 */
function limitFor(
  name: Exclude<RouteLimit['name'], 'login'>,
  { key }: Caller,
  limits: Deps['config']['rateLimits'],
): number {
  const raisable = name === 'notebooks' || tiers.some((tier) => tier === name);
  return raisable && key && key.tier !== 'free' ? Math.max(limits[name], limits[key.tier]) : limits[name];
}
