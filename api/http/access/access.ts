import type { Middleware } from 'koa';
import { tiers } from '../../../shared/accounts/api-key.model.ts';
import type { Config } from '../../../shared/config/config.ts';
import { isSameSecret } from '../../../shared/crypto/sha256.ts';
import { AppError, rateLimited, unavailable } from '../../../shared/errors.ts';
import type { RouteDeps } from '../../app-deps.ts';
import type { AppContext, AppState, Caller } from '../context.ts';
import { type Route, routeName } from '../route.ts';
import type { Access, Auth, RouteLimit } from './access-rules.ts';
import { anonymousCaller, authError, hasScope, identifyCaller, tokenRequired } from './caller.ts';
import { inSeconds, minuteInSeconds, type RateLimiter, refuseAtLimit, setRateLimitHeaders } from './rate-limiter.ts';

/**
 * Applies the access rules of a route: the limits (429), then credentials (401), then the scope
 * (403). A request without valid credentials counts as one of its network. Only so many requests of
 * a network are identified at a time. A limit of operations does not count a request that is
 * refused after these rules (4xx).
 */
export function access(
  route: Pick<Route, 'method' | 'path' | 'access' | 'limit'>,
  deps: RouteDeps,
): Middleware<AppState> {
  const name = routeName(route);
  const withoutBurst = route.limit && { name: route.limit.name };
  const { concurrentRequests } = deps;
  return async (ctx, next) => {
    ctx.state.route = name;
    const caller = await identifyInTurn(ctx);
    const leave = route.limit ? concurrentRequests.enterCaller(ctx, caller.limitKey) : () => {};
    try {
      const refund = await countRequest(ctx, name, route.limit, caller, deps);
      requireAccess(ctx, caller, route.access, deps.config);
      ctx.state.caller = caller;
      try {
        return await next();
      } catch (error) {
        if (error instanceof AppError && error.status < 500) await refund();
        throw error;
      }
    } finally {
      leave();
    }
  };

  async function identifyInTurn(ctx: AppContext): Promise<Caller> {
    const anonymous = anonymousCaller(ctx);
    await deps.waitForStart(anonymous.network);
    if (ctx.state.timedOut || ctx.res.destroyed) throw unavailable('The request has ended before its turn.', 1);
    const leaves: (() => void)[] = [];
    try {
      const credentials = ctx.get('X-API-Key') || ctx.get('Authorization');
      if (route.limit) leaves.push(concurrentRequests.enterNetwork(ctx, anonymous.network));
      if (route.limit && credentials !== '') leaves.push(concurrentRequests.enterCredentials(ctx, credentials));
      const required = route.access.auth[deps.config.auth.mode];
      return required === 'none' || required === 'metricsToken' ? anonymous : await identifyCaller(ctx, deps);
    } catch (error) {
      const isInvalid = error instanceof AppError && error.code === 'AUTH_ERROR';
      if (isInvalid) await countRequest(ctx, name, withoutBurst, anonymous, deps);
      throw error;
    } finally {
      for (const leave of leaves) leave();
    }
  }
}

function requireAccess(ctx: AppContext, caller: Caller, rules: Access, config: Config): void {
  const auth = rules.auth[config.auth.mode];
  if (auth === 'metricsToken') requireMetricsToken(ctx, config);
  else requireCredentials(caller, auth, rules.scope);
  requireScope(caller, rules.scope);
}

function requireCredentials({ key, user }: Caller, auth: Auth, scope: Access['scope']): void {
  if (auth === 'apiKey' && !key) {
    const sent = user ? '; an access token is not one' : ', in the header X-API-Key';
    throw authError(`An API key is required${sent}: POST /api/v1/api-keys with ${scope} makes one.`);
  }
  if (auth === 'apiKeyOrToken' && !key && !user) {
    throw authError(
      'An API key (X-API-Key) or an access token (Authorization: Bearer) is required; POST /api/v1/auth/login gives a token.',
    );
  }
  if (auth === 'token' && !user) {
    if (!key) throw tokenRequired();
    const message =
      'This route requires an access token of the account, not an API key; POST /api/v1/auth/login gives one.';
    throw new AppError('FORBIDDEN', message);
  }
}

/**
 * Without a token in the configuration, the metrics are open in development and
 * tests, otherwise closed.
 */
function requireMetricsToken(ctx: AppContext, { metricsToken, auth, environment }: Config): void {
  if (metricsToken === undefined) {
    if (environment !== 'production' && auth.mode === 'documented') return;
    throw authError('The metrics are not available: METRICS_TOKEN is not set.');
  }
  const sent = /^Bearer +(.+)$/i.exec(ctx.get('Authorization').trim())?.[1] ?? '';
  if (!isSameSecret(sent, metricsToken)) {
    throw authError('The metrics require METRICS_TOKEN: Authorization: Bearer.');
  }
}

function requireScope({ key, user }: Caller, scope: Access['scope']): void {
  if (scope === null || (!key && !user) || hasScope({ key, user }, scope)) return;
  if (scope === 'admin') throw new AppError('FORBIDDEN', 'Only admins can do this.');
  const change = key
    ? `, and the API key has ${key.scopes.join(', ') || 'none'}; PATCH /api/v1/api-keys/${key.id} changes them`
    : '';
  throw new AppError('FORBIDDEN', `This route requires the scope ${scope}${change}.`);
}

/**
 * @returns a function for a request that is refused before it did anything. Limits of operations
 * get back what it took from them; it counts against the default limit instead.
 */
async function countRequest(
  ctx: AppContext,
  route: string,
  limit: RouteLimit | null,
  caller: Caller,
  { config, rateLimiter }: RouteDeps,
): Promise<() => Promise<void>> {
  if (!limit) return async () => {};
  // The login handler counts failed attempts itself. Before it, an idempotency key costs two writes
  // per request.
  const { name: limitName, burst } = limit;
  const isLogin = limitName === 'login';
  const name = isLogin ? 'default' : limitName;
  const allowance = allowanceOf(name);
  // A request that exceeds the burst limit is not counted against the limit per minute.
  const burstCount =
    burst === undefined ? undefined : await count({ name: `burst:${route}`, limit: burst, seconds: 1 });
  if (burstCount && !burstCount.allowed) {
    setRateLimitHeaders(ctx, await rateLimiter.readStatus(allowance, caller.limitKey));
    throw rateLimited(inSeconds(burstCount.resetsIn));
  }
  const minuteCount = await count(allowance);
  if (!minuteCount.allowed) refuseAtLimit(ctx, minuteCount);
  if (!isLogin) setRateLimitHeaders(ctx, minuteCount);
  return async () => {
    if (!limit.ofOperations) return;
    await burstCount?.refund();
    const refunded = await minuteCount.refund();
    if (refunded) setRateLimitHeaders(ctx, refunded);
    const status = await count(allowanceOf('default'));
    if (!status.allowed) refuseAtLimit(ctx, status);
  };

  function allowanceOf(which: Exclude<RouteLimit['name'], 'login'>) {
    return { name: which, limit: limitFor(which, caller, config.rateLimits), seconds: minuteInSeconds };
  }

  async function count(counted: Parameters<RateLimiter['consume']>[0]) {
    const status = await rateLimiter.consume(counted, caller.limitKey);
    const endsAt = performance.now() + status.resetsIn;
    // A refund after the window would raise the limit of the next one.
    const refund = async () => (performance.now() < endsAt ? rateLimiter.refund(counted, caller.limitKey) : undefined);
    return { ...status, refund };
  }
}

/**
 * Returns the configured limit. A key whose tier is not `free` gets the higher of the configured
 * limit and the limit of its tier. This applies only to the limits that are named after a tier, and
 * to `notebooks`.
 */
function limitFor(name: Exclude<RouteLimit['name'], 'login'>, { key }: Caller, limits: Config['rateLimits']): number {
  const raisable = name === 'notebooks' || tiers.some((tier) => tier === name);
  return raisable && key && key.tier !== 'free' ? Math.max(limits[name], limits[key.tier]) : limits[name];
}
