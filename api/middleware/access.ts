import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { LimitName } from '../../shared/config.ts';
import { AppError, rateLimited } from '../../shared/errors.ts';
import { tiers } from '../../shared/models/api-key.model.ts';
import type { AppDeps } from '../app-deps.ts';
import { createTokens } from '../auth/tokens.ts';
import { anonymousCaller, authError, identifyCaller, mayUse } from '../request/caller.ts';
import type { AppContext, AppState, Caller } from '../request/context.ts';
import { createRateLimiter, inSeconds, perMinute, showStanding } from '../request/rate-limiter.ts';
import { type Asked, type RouteRule, routeName, ruleOf as ruleInTable } from '../route-rules.ts';

/**
 * Holds every request against the row of its route: credentials first (401), then how often the caller came (429), then
 * what it may do (403). What no route takes goes on, to its 404 or 405.
 */
export function access(router: Router<AppState>, deps: AppDeps, ruleOf = ruleInTable): Middleware<AppState> {
  const { config, redis } = deps;
  const tokens = createTokens(config.auth.tokenSecret);
  const limiter = createRateLimiter({ redis, prefix: config.redisPrefix });
  // A route without a row must not start, rather than be open.
  for (const route of namesOfRoutes(router)) ruleOf(route);

  return async (ctx, next) => {
    const route = routeOf(router, ctx);
    if (route === null) return next();
    const rule = ruleOf(route, config.notebooks.variant);
    const asked = rule.asks[config.auth.mode];
    const caller = asked === 'nothing' ? anonymousCaller(ctx) : await identifyCaller(ctx, deps, tokens);
    refuseStrangers(caller, asked);
    if (rule.limit) await countRequest(ctx, route, rule.limit, caller);
    refuseWithoutScope(caller, asked, rule);
    ctx.state.route = route;
    ctx.state.caller = caller;
    return next();
  };

  async function countRequest(
    ctx: AppContext,
    route: string,
    { name, burst }: NonNullable<RouteRule['limit']>,
    caller: Caller,
  ): Promise<void> {
    const allowance = { name, limit: limitFor(name, caller, config.rateLimits), seconds: perMinute };
    if (burst !== undefined) {
      // Requests that come too fast are not counted against the minute as well.
      const { allowed, resetsIn } = await limiter.take({ name: `burst:${route}`, limit: burst, seconds: 1 }, caller.id);
      if (!allowed) {
        showStanding(ctx, await limiter.look(allowance, caller.id));
        throw rateLimited(inSeconds(resetsIn));
      }
    }
    const standing = await limiter.take(allowance, caller.id);
    showStanding(ctx, standing);
    if (!standing.allowed) throw rateLimited(inSeconds(standing.resetsIn));
  }
}

/** Every route of a router, by the name that the table of rules has for it. */
export function namesOfRoutes(router: Router<AppState>): string[] {
  return [
    ...new Set(router.stack.flatMap(({ methods, path }) => methods.map((method) => routeName(method, String(path))))),
  ];
}

function routeOf(router: Router<AppState>, ctx: AppContext): string | null {
  const { route, pathAndMethod } = router.match(ctx.path, ctx.method);
  const layer = pathAndMethod.find(({ methods }) => methods.length > 0);
  return route && layer ? routeName(ctx.method, String(layer.path)) : null;
}

function refuseStrangers({ key, user }: Caller, asked: Asked): void {
  if (asked === 'key' && !key) throw authError('An API key is required, in the header X-API-Key.');
  if (asked === 'key or token' && !key && !user) {
    throw authError('An API key (X-API-Key) or an access token (Authorization: Bearer) is required.');
  }
  if (asked === 'token' && !user) {
    if (key) throw new AppError('FORBIDDEN', 'This takes an access token of the account itself, not an API key.');
    throw authError('An access token is required: Authorization: Bearer.');
  }
}

function refuseWithoutScope({ key, user }: Caller, asked: Asked, { scope }: RouteRule): void {
  if (scope === undefined || (!key && !user)) return;
  const answerable = asked === 'key' ? { key, user: null } : { key, user };
  if (!mayUse(answerable, scope)) throw new AppError('FORBIDDEN', `This takes the scope ${scope}.`);
}

/** A key of a higher tier raises the limits that stand for a tier, and that of notebooks; the others are what they are. */
function limitFor(name: LimitName, { key }: Caller, limits: AppDeps['config']['rateLimits']): number {
  const raisable = name === 'notebooks' || tiers.some((tier) => tier === name);
  return raisable && key && key.tier !== 'free' ? Math.max(limits[name], limits[key.tier]) : limits[name];
}
