import Router from '@koa/router';
import type { AppDeps } from '../../app-deps.ts';
import type { AppState } from '../../context.ts';
import { openApiDocument } from './openapi-document.ts';

/** `GET /openapi.json`: the machine-readable description; `GET /` leads there. */
export function openApiRoutes(deps: AppDeps): Router<AppState> {
  const router = new Router<AppState>();
  const document = openApiDocument(deps);
  // Who opens the bare address wants to know what there is.
  router.get('/', (ctx) => {
    ctx.redirect('/openapi.json');
  });

  router.get('/openapi.json', (ctx) => {
    ctx.body = document;
  });
  return router;
}
