import Router from '@koa/router';
import type { AppDeps } from '../../app-deps.ts';
import type { AppState } from '../../request/context.ts';
import { openApiDocument } from './openapi-document.ts';

/** `GET /openapi.json`: the machine-readable description. */
export function openApiRoutes(deps: AppDeps): Router<AppState> {
  const router = new Router<AppState>();
  const document = openApiDocument(deps);
  router.get('/openapi.json', (ctx) => {
    ctx.body = document;
  });
  return router;
}
