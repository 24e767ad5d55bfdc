import { type Static, Type } from 'typebox';
import { openAccess } from '../http/access/access-rules.ts';
import { empty, json, reply } from '../http/answer.ts';
import { count, uuid as uuidAnswer } from '../http/answer-types.ts';
import { type ConditionalHeaders, conditionalHeaders, entityTag } from '../http/entity-tag.ts';
import { Joi, uuid } from '../http/joi.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { readScenario, readScenarioList } from './cached-scenarios.ts';
import { createWriter, type UserHeaders, userHeaders } from './scenario-writer.ts';
import { createScenario, deleteScenario, deleteScenarios, updateScenario } from './scenario-writes.ts';
import { draftExample, scenarioListExample } from './scenarios.examples.ts';
import { presentScenario, scenarioAnswer, scenarioListAnswer } from './scenarios.presenter.ts';
import { nameTaken, repeatedFields, scenarioSchemas, unknownScenario, updateErrors } from './scenarios.schemas.ts';

const tag: RouteTag = {
  name: 'scenarios v2',
  description: 'The same scenarios, with bulk deletion, limits by tier and cached reads.',
};

const path = '/api/v2/scenarios';
const scenarioPath = Joi.object<{ scenario_id: string }>({ scenario_id: uuid().required() });
const versionedWrite = Joi.object<ConditionalHeaders & UserHeaders>().concat(conditionalHeaders).concat(userHeaders);

const maxBulkDelete = 100;

export const bulkDeleteBody = Joi.array<string[]>()
  .items(uuid())
  .max(maxBulkDelete)
  .required()
  .messages({
    'array.base': 'must be an array of ids',
    'array.max': `must contain at most ${maxBulkDelete} ids`,
  });

const bulkDeleteAnswer = Type.Object(
  {
    deleted: Type.Array(uuidAnswer()),
    failed: Type.Array(Type.Object({ id: uuidAnswer(), reason: Type.String() })),
    total_requested: count(),
    total_deleted: count(),
  },
  { $id: 'BulkDeleteResult' },
);

/** `/api/v2/scenarios`: version 2 of the same resource. The lifecycle has routes in version 1 only. */
export function scenarioV2Routes({ priceBook, config }: RouteSettings): Route[] {
  const schemas = scenarioSchemas(priceBook, config.pageSize);

  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listScenariosV2',
      tag,
      summary: 'List scenarios',
      access: openAccess('scenarios:read'),
      limit: { name: 'free' },
      query: schemas.list,
      compressed: 'each',
      answers: { 200: json(scenarioListAnswer, { headers: ['X-Cache'], example: scenarioListExample }) },
      handle: async (request, deps) => {
        const { page, page_size } = request.query;
        const { value, outcome } = await readScenarioList(deps, request, request.query);
        return reply(200, { ...value, page, page_size }, { 'X-Cache': outcome });
      },
    }),
    defineRoute({
      method: 'POST',
      path,
      operationId: 'createScenarioV2',
      tag,
      summary: 'Create a scenario',
      access: openAccess('scenarios:write'),
      limit: { name: 'free' },
      headers: userHeaders,
      body: {
        name: 'ScenarioCreate',
        schema: schemas.create,
        example: { name: 'Quiet season', region: 'eu-west-1', assumptions: { queue: { type: 'fifo' } } },
      },
      answers: {
        201: json(scenarioAnswer, {
          headers: ['Location', 'ETag'],
          example: { ...draftExample, name: 'Quiet season', assumptions: { queue: { type: 'fifo' } } },
        }),
      },
      errors: { CONFLICT: nameTaken },
      handle: async (request, deps) => {
        const scenario = await createScenario(createWriter(request, deps), request.body);
        return reply(201, presentScenario(scenario), {
          Location: `${path}/${scenario._id}`,
          ETag: entityTag(scenario.revision),
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{scenario_id}`,
      operationId: 'getScenarioV2',
      tag,
      summary: 'Read a scenario',
      access: openAccess('scenarios:read'),
      limit: { name: 'free' },
      params: scenarioPath,
      answers: { 200: json(scenarioAnswer, { headers: ['ETag', 'X-Cache'], example: draftExample }) },
      errors: unknownScenario,
      handle: async (request, deps) => {
        const { value, outcome } = await readScenario(deps, request, request.params.scenario_id);
        return reply(200, value.shown, { ETag: entityTag(value.revision), 'X-Cache': outcome });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/{scenario_id}`,
      operationId: 'updateScenarioV2',
      tag,
      summary: 'Change the sent fields of a scenario',
      description: repeatedFields,
      access: openAccess('scenarios:write'),
      limit: { name: 'free' },
      params: scenarioPath,
      headers: versionedWrite,
      body: {
        name: 'ScenarioUpdate',
        schema: schemas.update,
        example: { description: 'With the traffic of January' },
      },
      answers: {
        200: json(scenarioAnswer, {
          headers: ['ETag'],
          example: { ...draftExample, description: 'With the traffic of January' },
        }),
      },
      errors: updateErrors,
      handle: async (request, deps) => {
        const { params, body, headers } = request;
        const scenario = await updateScenario(createWriter(request, deps), params.scenario_id, body, headers);
        return reply(200, presentScenario(scenario), { ETag: entityTag(scenario.revision) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{scenario_id}`,
      operationId: 'deleteScenarioV2',
      tag,
      summary: 'Delete a scenario with its logs and its usage',
      access: openAccess('scenarios:write'),
      limit: { name: 'free', burst: 5 },
      params: scenarioPath,
      headers: versionedWrite,
      answers: { 204: empty() },
      errors: { ...unknownScenario, PRECONDITION_FAILED: updateErrors.PRECONDITION_FAILED },
      handle: async (request, deps) => {
        await deleteScenario(createWriter(request, deps), request.params.scenario_id, request.headers);
        return reply(204);
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/bulk/delete`,
      operationId: 'bulkDeleteScenariosV2',
      tag,
      summary: 'Delete up to 100 scenarios',
      description:
        'The status is 200 also if no scenario was deleted: `failed` has the reason for each id, `Not found` for an unknown or repeated one.',
      access: openAccess('scenarios:write'),
      limit: { name: 'premium', burst: 1 },
      headers: userHeaders,
      body: { name: 'BulkDelete', schema: bulkDeleteBody, example: ['6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11'] },
      answers: { 200: json(bulkDeleteAnswer) },
      handle: async (request, deps) => {
        const { deleted, failed } = await deleteScenarios(createWriter(request, deps), request.body);
        const result: Static<typeof bulkDeleteAnswer> = {
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
