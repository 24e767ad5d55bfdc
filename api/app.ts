import Router from '@koa/router';
import Koa from 'koa';
import type { AppDeps } from './app-deps.ts';
import type { AppState } from './context.ts';
import { dashboard } from './dashboard.ts';
import { errorEnvelope } from './middleware/error-envelope.ts';
import { requestId } from './middleware/request-id.ts';
import { requestLog } from './middleware/request-log.ts';
import { allRoutes } from './routes/index.ts';

/** The service without its listener: middleware in their order, then the routes. */
export function createApp(deps: AppDeps): Koa<AppState> {
  const app = new Koa<AppState>();
  app.use(requestId());
  app.use(requestLog(deps.log));
  app.use(errorEnvelope(deps.log));
  app.use(dashboard(deps));
  const root = new Router<AppState>();
  for (const router of allRoutes(deps)) root.use(router.routes());
  app.use(root.routes());
  app.use(root.allowedMethods());
  return app;
}
