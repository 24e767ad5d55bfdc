import { Type } from 'typebox';
import { publicAccess } from '../../routing/access.ts';
import { json, reply } from '../../routing/answer.ts';
import { defineRoute, type Route } from '../../routing/route.ts';
import { serviceTag } from '../health/health.routes.ts';

/** `GET /openapi.json`: the OpenAPI document of the service. */
export function openApiRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      tag: serviceTag,
      summary: 'Read this document',
      access: publicAccess,
      limit: null,
      answers: { 200: json(Type.Unsafe<object>({ type: 'object' })) },
      handle: async (_request, { readOpenApi }) => reply(200, readOpenApi()),
    }),
  ];
}
