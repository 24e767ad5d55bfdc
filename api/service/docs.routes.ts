import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Type } from 'typebox';
import { publicAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { Joi } from '../http/input.ts';
import { content, empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { serviceTag } from './health.routes.ts';
import { fileOf, type StaticFiles, staticFile } from './static-files.ts';

const libraryFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Meterbook API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" href="docs/favicon-32x32.png">
  </head>
  <body>
    <div id="docs"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/**
 * Without `validatorUrl: null`, Swagger UI sends the URL of the document to validator.swagger.io
 * for validation.
 */
const startScript = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
});
`;

const contentSecurityPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/** `/docs` shows the OpenAPI document as a page. The page loads nothing from other hosts. */
export function docsRoutes(): Route[] {
  const assets = readAssets();
  const access = publicAccess;
  const tag = serviceTag;
  return [
    defineRoute({
      method: 'GET',
      path: '/docs',
      operationId: 'getDocs',
      tag,
      summary: 'Show this OpenAPI document as an interactive page',
      access,
      limit: null,
      responses: {
        200: content('text/html', { headers: ['Content-Type', 'Content-Security-Policy'] }),
        302: empty({ description: 'From /docs/ to /docs.', headers: ['Location'] }),
      },
      handle: async ({ ctx }) => {
        // The links of the page are relative, for proxies with a path prefix.
        if (ctx.path.endsWith('/')) return reply(302, undefined, { Location: '../docs' });
        return reply(200, page, {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': contentSecurityPolicy,
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/docs/{asset}',
      operationId: 'getDocsAsset',
      tag,
      summary: 'Read a file of the page at /docs',
      access,
      limit: null,
      params: Joi.object<{ asset: string }>({ asset: Joi.string().required().example('start.js') }),
      responses: {
        200: content('*/*', { headers: ['Content-Type', 'Cache-Control'] }),
      },
      compressed: 'once',
      errors: { NOT_FOUND: 'The page has no file of this name.' },
      handle: async ({ params, ctx }) => {
        const { type, bytes } = fileOf(assets, params.asset, ctx);
        return reply(200, bytes, { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' });
      },
    }),
  ];
}

function readAssets(): StaticFiles {
  const { resolve } = createRequire(import.meta.url);
  const read = (name: string) => readFileSync(resolve(`swagger-ui-dist/${name}`));
  return new Map([
    ['start.js', staticFile('start.js', Buffer.from(startScript))],
    ...libraryFiles.map((name) => [name, staticFile(name, read(name))] as const),
  ]);
}

export function openApiRoutes(): Route[] {
  let known: { document: object; tag: string } | undefined;
  return [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      tag: serviceTag,
      summary: 'Read this document',
      access: publicAccess,
      limit: null,
      responses: { 200: json(Type.Unsafe<object>({ type: 'object' }), { headers: ['ETag'] }) },
      compressed: 'once',
      handle: async (_request, { readOpenApi }) => {
        // The document takes 80 ms, so that its first reader waits for it, and not the start.
        known ??= withTag(readOpenApi());
        return reply(200, known.document, { ETag: known.tag });
      },
    }),
  ];
}

const withTag = (document: object) => ({ document, tag: contentTag(document) });
