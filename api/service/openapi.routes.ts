import { Type } from 'typebox';
import { publicAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { serviceTag } from './health.routes.ts';

/** `GET /openapi.json`: the OpenAPI document of the service. */
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
