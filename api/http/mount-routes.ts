import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RouteDeps } from '../app-deps.ts';
import { access } from './access/access.ts';
import { compression } from './compression.ts';
import type { AppState, ErrorFormat } from './context.ts';
import { handleRequest, keysOf } from './handle-request.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { requestTimeout } from './request-timeout.ts';
import { type Route, routeName } from './route.ts';

/**
 * Creates the router of a list of routes. Within the time of its route, a request passes the access
 * rules, then the middleware for idempotency keys, then the handler.
 * @throws TypeError if two routes collide, or a path and its schema name different parameters.
 */
export function mountRoutes(routes: readonly Route[], deps: RouteDeps): Router<AppState> {
  checkRoutes(routes);
  const router = new Router<AppState>();
  const idempotencyKeyOf = idempotencyKey(deps);
  const reserveBodyMemory: Middleware<AppState> = async (ctx, next) => {
    ctx.state.bodyMemory = deps.bodyMemory.open(ctx.state.caller.network);
    try {
      await next();
    } finally {
      ctx.state.bodyMemory.release();
    }
  };
  for (const route of fixedPathsFirst(routes)) {
    router.register(
      route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      [route.method],
      [
        ...(route.errorFormat ? [writeErrorsAs(route.errorFormat)] : []),
        requestTimeout(route.timeoutMs ?? deps.config.mongodbTimeoutMs),
        access(route, deps),
        ...(route.compressed ? [compression(route.compressed)] : []),
        reserveBodyMemory,
        ...(route.method === 'POST' ? [idempotencyKeyOf(route)] : []),
        handleRequest(route, deps),
      ],
    );
  }
  return router;
}

/** Applies to every error of the middleware that follows, also to those of the access rules. */
const writeErrorsAs =
  (format: ErrorFormat): Middleware<AppState> =>
  (ctx, next) => {
    ctx.state.errorFormat = format;
    return next();
  };

/** `/scenarios/compare` is matched before `/scenarios/{id}`, wherever the two are defined. */
function fixedPathsFirst(routes: readonly Route[]): Route[] {
  const order = ({ path }: Route) => path.replaceAll('{', '\uffff');
  return [...routes].sort((one, other) => (order(one) < order(other) ? -1 : order(one) > order(other) ? 1 : 0));
}

function checkRoutes(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const route of routes) {
    for (const name of [routeName(route), route.operationId]) {
      if (seen.has(name)) throw new TypeError(`${name} is defined twice.`);
      seen.add(name);
    }
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inSchema = keysOf(route.params);
    if (inPath.length !== inSchema.length || inPath.some((name) => !inSchema.includes(name ?? ''))) {
      throw new TypeError(`${routeName(route)}: its path and its schema name different parameters.`);
    }
  }
}
