import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Router from '@koa/router';
import { AppError } from '../../../shared/errors.ts';
import type { AppState } from '../../request/context.ts';

const libraryFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Meterbook API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The library would have the description checked by a server of its makers. */
const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
});
`;

const contentSecurity =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/** `/docs`: the description for people, who may try it out; `/` leads there. Nothing is loaded from other hosts. */
export function docsRoutes(): Router<AppState> {
  const router = new Router<AppState>();
  const { resolve } = createRequire(import.meta.url);
  const assets = new Map<string, string | Buffer>([['start.js', start]]);
  for (const name of libraryFiles) assets.set(name, readFileSync(resolve(`swagger-ui-dist/${name}`)));

  // Who opens the bare address wants to know what there is.
  router.get('/', (ctx) => {
    ctx.redirect('/docs');
  });

  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', contentSecurity);
    ctx.type = 'html';
    ctx.body = page;
  });

  router.get('/docs/:asset', (ctx) => {
    const name = ctx.params['asset'] ?? '';
    const asset = assets.get(name);
    if (asset === undefined) throw new AppError('NOT_FOUND', `There is nothing at ${ctx.path}.`);
    ctx.set({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' });
    ctx.type = name.slice(name.lastIndexOf('.'));
    ctx.body = asset;
  });

  return router;
}
