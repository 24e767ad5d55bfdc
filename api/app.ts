import Router from '@koa/router';
import Koa from 'koa';
import type { AppDeps } from './app-deps.ts';
import { dashboard } from './dashboard.ts';
import { access } from './middleware/access.ts';
import { errorEnvelope } from './middleware/error-envelope.ts';
import { idempotencyKey } from './middleware/idempotency-key.ts';
import { requestId } from './middleware/request-id.ts';
import { requestLog, unsentLog } from './middleware/request-log.ts';
import type { AppState } from './request/context.ts';
import { allRoutes } from './routes/index.ts';

/** The service without its listener: middleware in their order, then the routes. */
export function createApp(deps: AppDeps): Koa<AppState> {
  const { trustedProxies } = deps.config;
  const app = new Koa<AppState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  app.on('error', unsentLog(deps.log));
  app.use(requestId());
  app.use(requestLog(deps.log));
  app.use(errorEnvelope(deps.log));
  app.use(dashboard(deps));
  const root = new Router<AppState>();
  for (const router of allRoutes(deps)) root.use(router.routes());
  app.use(access(root, deps));
  app.use(idempotencyKey(deps));
  app.use(root.routes());
  app.use(root.allowedMethods());
  return app;
}
