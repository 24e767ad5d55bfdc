import Koa from 'koa';
import { createReadCache } from '../shared/connections/read-cache.ts';
import { createIndexCheck } from '../shared/models.ts';
import { browserSessionPath } from './accounts/browser-session.routes.ts';
import { createTokens } from './accounts/tokens.ts';
import { allRoutes } from './all-routes.ts';
import type { AppDeps, RouteDeps } from './app-deps.ts';
import { withAuditRecord } from './audit/audit-trail.ts';
import { createLimits } from './http/access/limits.ts';
import type { AppState } from './http/context.ts';
import { crossOrigin, setDefaultHeaders } from './http/default-headers.ts';
import { handleErrors } from './http/error-envelope.ts';
import { mountRoutes } from './http/mount-routes.ts';
import { logUnsentResponse, observeRequests } from './http/observe-requests.ts';
import { openApiDocument } from './http/openapi-document.ts';
import { createIngestDeps } from './ingest/accept-entries.ts';
import { otlpAddresses } from './ingest/otlp/otlp-http.ts';
import { dashboard, dashboardPath } from './jobs/dashboard.ts';

/** Creates the service without a listener: middleware in order, then the routes. */
export function createApp(deps: AppDeps): Koa<AppState> {
  const { config, log } = deps;
  const { trustedProxies } = config;
  const app = new Koa<AppState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  app.on('error', logUnsentResponse);
  app.use(setDefaultHeaders);
  app.use(observeRequests(log, deps.metrics));
  if (config.corsOrigins.length > 0) app.use(crossOrigin(config.corsOrigins, [dashboardPath, browserSessionPath]));
  const routes = allRoutes(deps).map(withAuditRecord);
  app.use(handleErrors(routes));
  app.use(otlpAddresses());
  const routeDeps = createRouteDeps(deps, () => openApiDocument(routes, config));
  app.use(dashboard(routeDeps));
  app.use(mountRoutes(routes, routeDeps));
  return app;
}

/** Adds the dependencies that are created once per app. Tests mount single routes with them. */
export function createRouteDeps(deps: AppDeps, readOpenApi: () => object): RouteDeps {
  const { config, redis } = deps;
  const limits = createLimits(deps);
  return {
    ...deps,
    ...limits,
    ...createIngestDeps(deps, limits.rateLimiter),
    allOwners: deps.models,
    tokens: createTokens(config.auth.tokenSecret),
    scenarioCache: createReadCache(
      { redis, cacheRequests: deps.metrics.cacheRequests },
      { prefix: config.redisPrefix, name: 'scenario-cache' },
    ),
    findMissingIndexes: createIndexCheck(deps.models, config.auth.access),
    readOpenApi,
  };
}
