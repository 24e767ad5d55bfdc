import Koa from 'koa';
import type { AppDeps } from './app-deps.ts';
import { createPasswords } from './auth/passwords.ts';
import { createTokens } from './auth/tokens.ts';
import { dashboard } from './dashboard.ts';
import { errorEnvelope } from './middleware/error-envelope.ts';
import { requestId } from './middleware/request-id.ts';
import { logUnsentAnswer, requestLog } from './middleware/request-log.ts';
import { setSecurityHeaders } from './middleware/security-headers.ts';
import type { AppState } from './request/context.ts';
import { createRateLimiter } from './request/rate-limiter.ts';
import { allRoutes } from './routes/index.ts';
import { mountRoutes } from './routing/mount-routes.ts';
import { openApiDocument } from './routing/openapi-document.ts';

/** The service without its listener: middleware in order, then the routes. */
export function createApp(deps: AppDeps): Koa<AppState> {
  const { config, redis, log } = deps;
  const { trustedProxies, auth, redisPrefix: prefix } = config;
  const app = new Koa<AppState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  app.on('error', logUnsentAnswer(log));
  app.use(setSecurityHeaders);
  app.use(requestId());
  app.use(requestLog(log));
  app.use(errorEnvelope(log));
  const rateLimiter = createRateLimiter({ redis, prefix });
  app.use(dashboard({ ...deps, rateLimiter }));
  const routes = allRoutes(deps);
  const router = mountRoutes(routes, {
    ...deps,
    tokens: createTokens(auth.tokenSecret),
    passwords: createPasswords(),
    rateLimiter,
    openApi: openApiDocument(routes, config),
  });
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}
