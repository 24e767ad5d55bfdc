import { Type } from 'typebox';
import { publicAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { JsonText } from '../http/json-text.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { serviceTag } from './health.routes.ts';

/** `GET /openapi.json`: the OpenAPI document of the service. */
export function openApiRoutes(): Route[] {
  let written: { json: JsonText<object>; tag: string } | undefined;
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
        written ??= write(readOpenApi());
        return reply(200, written.json, { ETag: written.tag });
      },
    }),
  ];
}

function write(document: object) {
  return { json: JsonText.ofBytes<object>(Buffer.from(JSON.stringify(document))), tag: contentTag(document) };
}
