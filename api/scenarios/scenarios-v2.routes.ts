import { type Static, Type } from 'typebox';
import { openAccess } from '../http/access/access-rules.ts';
import { Joi, uuid } from '../http/joi.ts';
import { json, reply } from '../http/response.ts';
import { count, uuid as uuidResponse } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { type ScenarioVersion, scenarioResource } from './scenario-resource.ts';
import { createWriter, userHeaders } from './scenario-writer.ts';
import { deleteScenarios } from './scenario-writes.ts';

const tag: RouteTag = {
  name: 'scenarios v2',
  description: 'The same scenarios, with bulk deletion, limits by tier and cached reads.',
};

const path = '/api/v2/scenarios';

const version: ScenarioVersion = {
  path,
  idName: 'scenario_id',
  tag,
  suffix: 'V2',
  hasTierLimits: true,
  isCached: true,
  userHeaders,
  exampleName: 'Quiet season',
};

const maxBulkDelete = 100;

const bulkDeleteBody = Joi.array<string[]>()
  .items(uuid())
  .max(maxBulkDelete)
  .required()
  .messages({
    'array.base': 'must be an array of ids',
    'array.max': `must contain at most ${maxBulkDelete} ids`,
  });

const bulkDeleteResponse = Type.Object(
  {
    deleted: Type.Array(uuidResponse()),
    failed: Type.Array(Type.Object({ id: uuidResponse(), reason: Type.String() })),
    total_requested: count(),
    total_deleted: count(),
  },
  { $id: 'BulkDeleteResult' },
);

/**
 * `/api/v2/scenarios`: version 2 of the same resource. The lifecycle has routes in version 1 only.
 */
export function scenarioV2Routes(settings: RouteSettings): Route[] {
  return [
    ...scenarioResource(version, settings),
    defineRoute({
      method: 'POST',
      path: `${path}/bulk/delete`,
      operationId: 'bulkDeleteScenariosV2',
      tag,
      summary: 'Delete up to 100 scenarios',
      description:
        'The status is 200 also if no scenario was deleted: `failed` has the reason for each id, `Not found` for an unknown or repeated one.',
      access: openAccess('scenarios:write'),
      limit: { name: 'premium', burst: 1, ofOperations: true },
      headers: userHeaders,
      body: { name: 'BulkDelete', schema: bulkDeleteBody, example: ['6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11'] },
      responses: { 200: json(bulkDeleteResponse) },
      handle: async (request, deps) => {
        const { deleted, failed } = await deleteScenarios(createWriter(request, deps), request.body);
        const result: Static<typeof bulkDeleteResponse> = {
          deleted,
          failed,
          total_requested: request.body.length,
          total_deleted: deleted.length,
        };
        return reply(200, result);
      },
    }),
  ];
}
