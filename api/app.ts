import Koa from 'koa';
import { withWaitLimit } from '../shared/connections/wait-limit.ts';
import { createReadCache } from '../shared/services/read-cache.ts';
import type { AppDeps, RouteDeps } from './app-deps.ts';
import { createApiKeyGenerator } from './auth/api-key-format.ts';
import { createPasswordLinkGenerator } from './auth/password-link.ts';
import { createTokens } from './auth/tokens.ts';
import { dashboard } from './dashboard.ts';
import { setCacheHeaders } from './middleware/cache-headers.ts';
import { crossOrigin } from './middleware/cross-origin.ts';
import { errorEnvelope } from './middleware/error-envelope.ts';
import { requestId } from './middleware/request-id.ts';
import { logUnsentAnswer, requestLog } from './middleware/request-log.ts';
import { requestMetrics } from './middleware/request-metrics.ts';
import { setSecurityHeaders } from './middleware/security-headers.ts';
import { createBodyMemory } from './request/body-memory.ts';
import { createConcurrentRequests } from './request/concurrent-requests.ts';
import type { AppState } from './request/context.ts';
import { createInvalidKeys } from './request/invalid-keys.ts';
import { createRateLimiter } from './request/rate-limiter.ts';
import { createRefusalPace } from './request/refusal-pace.ts';
import { createStartQueue } from './request/start-queue.ts';
import { createWaitingRequests } from './request/waiting-requests.ts';
import { allRoutes } from './routes/index.ts';
import { createEntryIntake } from './routes/ingest/entry-intake.ts';
import { createBatchPresenter } from './routes/ingest/ingest.presenter.ts';
import { createIngestBudget } from './routes/ingest/ingest-budget.ts';
import { createRoomCheck } from './routes/ingest/process-entries.ts';
import { createMetricsReader } from './routes/prometheus/read-metrics.ts';
import { mountRoutes } from './routing/mount-routes.ts';
import { openApiDocument } from './routing/openapi-document.ts';

/** Creates the service without a listener: middleware in order, then the routes. */
export function createApp(deps: AppDeps): Koa<AppState> {
  const { config, log } = deps;
  const { trustedProxies } = config;
  const app = new Koa<AppState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  app.on('error', logUnsentAnswer(log));
  app.use(setSecurityHeaders);
  app.use(setCacheHeaders);
  app.use(requestId());
  app.use(requestLog(log));
  app.use(requestMetrics(deps.metrics));
  app.use((_ctx, next) => withWaitLimit(config.mongodbTimeoutMs, next));
  if (config.corsOrigins.length > 0) app.use(crossOrigin(config.corsOrigins));
  app.use(errorEnvelope(log));
  const routes = allRoutes(deps);
  const routeDeps = createRouteDeps(deps, () => openApiDocument(routes, config));
  app.use(dashboard(routeDeps));
  const router = mountRoutes(routes, routeDeps);
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

/** Adds the dependencies that the app creates itself, once for all routes. */
export function createRouteDeps(deps: AppDeps, readOpenApi: () => object): RouteDeps {
  const { config, redis, log } = deps;
  const { redisPrefix: prefix } = config;
  const rateLimiter = createRateLimiter({ redis, prefix, refusals: deps.metrics.rateLimitRefusals });
  return {
    ...deps,
    allOwners: deps.models,
    tokens: createTokens(config.auth.tokenSecret),
    generateApiKey: createApiKeyGenerator(config.spoolKey),
    generatePasswordLink: createPasswordLinkGenerator(config.spoolKey),
    rateLimiter,
    invalidKeys: createInvalidKeys({ rateLimiter, config }),
    scenarioCache: createReadCache({
      redis,
      prefix,
      name: 'scenario-cache',
      log,
      requests: deps.metrics.cacheRequests,
    }),
    bodyMemory: createBodyMemory(config.maxBodyMemoryBytes),
    concurrentRequests: createConcurrentRequests(config.maxConcurrentRequests, deps.metrics.rateLimitRefusals),
    waitForStart: createStartQueue(),
    paceRefusal: createRefusalPace(),
    waitingRequests: createWaitingRequests(config.maxWaitingRequests),
    entryIntake: createEntryIntake(deps),
    ingestBudget: createIngestBudget({ config, rateLimiter }),
    requireRoom: createRoomCheck(deps),
    presentBatch: createBatchPresenter({ book: deps.priceBook, fallback: config.priceFallback }),
    readMetrics: createMetricsReader(deps),
    readOpenApi,
  };
}
