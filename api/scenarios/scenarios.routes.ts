import { type Static, Type } from 'typebox';
import { type Transition, transitions } from '../../shared/scenarios/scenario.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { type ConditionalHeaders, conditionalHeaders, entityTag } from '../http/entity-tag.ts';
import { idPath, Joi, uuid } from '../http/input.ts';
import { empty, json, reply } from '../http/response.ts';
import { count, uuid as uuidResponse } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import {
  createScenario,
  deleteScenario,
  deleteScenarios,
  transitionScenario,
  type UserHeaders,
  updateScenario,
  userHeaders,
} from './scenario-writes.ts';
import {
  draftExample,
  nameTaken,
  presentScenario,
  repeatedFields,
  scenarioListExample,
  scenarioListResponse,
  scenarioResponse,
  scenarioSchemas,
  transitionExamples,
  unknownScenario,
  updateErrors,
} from './scenarios.schema.ts';
import { readScenario, readScenarioList } from './scenarios.store.ts';

export const scenariosTag: RouteTag = {
  name: 'scenarios',
  description: 'Cost scenarios, each for one cloud region, and their lifecycle: draft, running, completed, archived.',
};

const path1 = '/api/v1/scenarios';

const invalidState: Readonly<Record<Transition, string>> = {
  start:
    'The scenario is not draft, or the price book that would price it lacks its region or model: `details` names the field.',
  stop: 'The scenario is not running.',
  archive: 'The scenario is not completed.',
};

export function scenarioRoutes(settings: RouteSettings): Route[] {
  return [
    ...scenarioResource(1, settings),
    ...(Object.keys(transitions) as Transition[]).map((transition) =>
      defineRoute({
        method: 'POST',
        path: `${path1}/{id}/${transition}`,
        operationId: `${transition}Scenario`,
        tag: scenariosTag,
        idempotency: 'none',
        summary: `Change the status from ${transitions[transition].from} to ${transitions[transition].to}`,
        access: openAccess('scenarios:write'),
        params: idPath,
        responses: { 200: json(scenarioResponse, { headers: ['ETag'], example: transitionExamples[transition] }) },
        errors: { ...unknownScenario, INVALID_STATE: invalidState[transition] },
        handle: async (request, deps) => {
          const scenario = await transitionScenario({ ...request, deps }, request.params.id, transition);
          return reply(200, presentScenario(scenario), { ETag: entityTag(scenario.revision) });
        },
      }),
    ),
  ];
}

const tag2: RouteTag = {
  name: 'scenarios v2',
  description: 'The same scenarios, with bulk deletion, limits by tier and cached reads.',
};

const path2 = '/api/v2/scenarios';

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
    ...scenarioResource(2, settings),
    defineRoute({
      method: 'POST',
      path: `${path2}/bulk/delete`,
      operationId: 'bulkDeleteScenariosV2',
      idempotency: 'none',
      tag: tag2,
      summary: 'Delete up to 100 scenarios',
      description:
        'The status is 200 also if no scenario was deleted: `failed` has the reason for each id, `Not found` for an unknown or repeated one.',
      access: openAccess('scenarios:write'),
      limit: { name: 'premium', burst: 1, ofOperations: true },
      headers: userHeaders,
      body: { name: 'BulkDelete', schema: bulkDeleteBody, example: ['6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11'] },
      responses: { 200: json(bulkDeleteResponse) },
      handle: async (request, deps) => {
        const { deleted, failed } = await deleteScenarios({ ...request, deps }, request.body);
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

/** `exampleName`: names are unique, and examples are requests that succeed. */
const versions = {
  1: {
    path: path1,
    idName: 'id',
    tag: scenariosTag,
    suffix: '',
    userHeaders: Joi.object<UserHeaders>({}),
    exampleName: 'Peak season',
  },
  2: { path: path2, idName: 'scenario_id', tag: tag2, suffix: 'V2', userHeaders, exampleName: 'Quiet season' },
} as const;

/**
 * The five routes that both versions have: create, list, read, change, delete. Version 2 limits
 * requests by tier, and deletions per second. Its reads come from the cache, and say so in
 * `X-Cache`.
 */
function scenarioResource(version: 1 | 2, { priceBooks, config }: RouteSettings): Route[] {
  const { path, idName, tag, suffix, userHeaders, exampleName } = versions[version];
  const cacheOf = ({ scenarioCache }: RouteDeps) => (version === 2 ? scenarioCache : null);
  const schemas = scenarioSchemas(priceBooks, config.pageSize);
  const onePath = `${path}/{${idName}}` as const;
  const params = Joi.object<Record<string, string>>({ [idName]: uuid().required() });
  const idOf = (sent: Record<string, string>) => sent[idName] ?? '';
  const versioned = Joi.object<ConditionalHeaders & UserHeaders>().concat(conditionalHeaders).concat(userHeaders);
  const limit = version === 2 ? { limit: { name: 'free', ofOperations: true } as const } : {};
  const deleteLimit = version === 2 ? { limit: { name: 'free', burst: 5, ofOperations: true } as const } : {};
  const reading = { tag, access: openAccess('scenarios:read'), ...limit } as const;
  const writing = { tag, access: openAccess('scenarios:write'), ...limit } as const;
  const cacheHeaders = version === 2 ? (['X-Cache'] as const) : [];

  return [
    defineRoute({
      ...writing,
      method: 'POST',
      path,
      operationId: `createScenario${suffix}`,
      summary: 'Create a scenario',
      headers: userHeaders,
      body: {
        name: 'ScenarioCreate',
        schema: schemas.create,
        example: { name: exampleName, region: 'eu-west-1', assumptions: { function: { memory_mb: 512 } } },
      },
      responses: {
        201: json(scenarioResponse, { headers: ['Location', 'ETag'], example: { ...draftExample, name: exampleName } }),
      },
      errors: { CONFLICT: nameTaken },
      handle: async (request, deps) => {
        const scenario = await createScenario({ ...request, deps }, request.body);
        return reply(201, presentScenario(scenario), {
          Location: `${path}/${scenario._id}`,
          ETag: entityTag(scenario.revision),
        });
      },
    }),
    defineRoute({
      ...reading,
      method: 'GET',
      path,
      operationId: `listScenarios${suffix}`,
      summary: 'List scenarios',
      query: schemas.list,
      compressed: 'each',
      responses: { 200: json(scenarioListResponse, { optionalHeaders: cacheHeaders, example: scenarioListExample }) },
      handle: async (request, deps) => {
        const { page, page_size } = request.query;
        const { value, headers } = await readScenarioList(request, request.query, cacheOf(deps));
        return reply(200, { ...value, page, page_size }, headers);
      },
    }),
    defineRoute({
      ...reading,
      method: 'GET',
      path: onePath,
      operationId: `getScenario${suffix}`,
      summary: 'Read a scenario',
      params,
      responses: {
        200: json(scenarioResponse, { headers: ['ETag'], optionalHeaders: cacheHeaders, example: draftExample }),
      },
      errors: unknownScenario,
      handle: async (request, deps) => {
        const { value, headers } = await readScenario(request, idOf(request.params), cacheOf(deps));
        return reply(200, value.shown, { ETag: entityTag(value.revision), ...headers });
      },
    }),
    defineRoute({
      ...writing,
      method: 'PUT',
      path: onePath,
      operationId: `updateScenario${suffix}`,
      summary: 'Change the sent fields of a scenario',
      description: repeatedFields,
      params,
      headers: versioned,
      body: {
        name: 'ScenarioUpdate',
        schema: schemas.update,
        example: { description: 'With the traffic of December' },
      },
      responses: {
        200: json(scenarioResponse, {
          headers: ['ETag'],
          example: { ...draftExample, description: 'With the traffic of December' },
        }),
      },
      errors: updateErrors,
      handle: async (request, deps) => {
        const { body, headers } = request;
        const scenario = await updateScenario({ ...request, deps }, idOf(request.params), body, headers);
        return reply(200, presentScenario(scenario), { ETag: entityTag(scenario.revision) });
      },
    }),
    defineRoute({
      ...writing,
      ...deleteLimit,
      method: 'DELETE',
      path: onePath,
      operationId: `deleteScenario${suffix}`,
      summary: 'Delete a scenario with its logs and its usage',
      params,
      headers: versioned,
      responses: { 204: empty() },
      errors: { ...unknownScenario, PRECONDITION_FAILED: updateErrors.PRECONDITION_FAILED },
      handle: async (request, deps) => {
        await deleteScenario({ ...request, deps }, idOf(request.params), request.headers);
        return reply(204);
      },
    }),
  ];
}
