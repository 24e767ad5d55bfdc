import type { ObjectSchema } from 'joi';
import { openAccess } from '../http/access/access-rules.ts';
import { type ConditionalHeaders, conditionalHeaders, entityTag } from '../http/entity-tag.ts';
import { Joi, uuid } from '../http/joi.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { readScenario, readScenarioList } from './cached-scenarios.ts';
import { createWriter, type UserHeaders } from './scenario-writer.ts';
import { createScenario, deleteScenario, updateScenario } from './scenario-writes.ts';
import { draftExample, scenarioListExample } from './scenarios.examples.ts';
import { presentScenario, scenarioListResponse, scenarioResponse } from './scenarios.presenter.ts';
import { nameTaken, repeatedFields, scenarioSchemas, unknownScenario, updateErrors } from './scenarios.schemas.ts';

/** The differences between the versions of the resource. */
export interface ScenarioVersion {
  readonly path: `/${string}`;
  /** Name of the parameter in the path. */
  readonly idName: string;
  readonly tag: RouteTag;
  /** Follows every operation id. */
  readonly suffix: string;
  /**
   * Limits the requests per minute by tier, and deletions per
   * second.
   */
  readonly hasTierLimits: boolean;
  /** Reads come from the cache, and say so in `X-Cache`. */
  readonly isCached: boolean;
  readonly userHeaders: ObjectSchema<UserHeaders>;
  /** Names are unique, and examples are requests that succeed. */
  readonly exampleName: string;
}

/** The five routes that both versions have: create, list, read, change, delete. */
export function scenarioResource(version: ScenarioVersion, { priceBooks, config }: RouteSettings): Route[] {
  const { path, idName, tag, suffix, isCached, userHeaders, exampleName } = version;
  const schemas = scenarioSchemas(priceBooks, config.pageSize);
  const onePath = `${path}/{${idName}}` as const;
  const params = Joi.object<Record<string, string>>({ [idName]: uuid().required() });
  const idOf = (sent: Record<string, string>) => sent[idName] ?? '';
  const versioned = Joi.object<ConditionalHeaders & UserHeaders>().concat(conditionalHeaders).concat(userHeaders);
  const limit = version.hasTierLimits ? { limit: { name: 'free', ofOperations: true } as const } : {};
  const deleteLimit = version.hasTierLimits ? { limit: { name: 'free', burst: 5, ofOperations: true } as const } : {};
  const cacheHeaders = isCached ? (['X-Cache'] as const) : [];

  return [
    defineRoute({
      method: 'POST',
      path,
      operationId: `createScenario${suffix}`,
      tag,
      summary: 'Create a scenario',
      access: openAccess('scenarios:write'),
      ...limit,
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
        const scenario = await createScenario(createWriter(request, deps), request.body);
        return reply(201, presentScenario(scenario), {
          Location: `${path}/${scenario._id}`,
          ETag: entityTag(scenario.revision),
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: `listScenarios${suffix}`,
      tag,
      summary: 'List scenarios',
      access: openAccess('scenarios:read'),
      ...limit,
      query: schemas.list,
      compressed: 'each',
      responses: { 200: json(scenarioListResponse, { optionalHeaders: cacheHeaders, example: scenarioListExample }) },
      handle: async (request, deps) => {
        const { page, page_size } = request.query;
        const { value, headers } = await readScenarioList(deps, request, request.query, isCached);
        return reply(200, { ...value, page, page_size }, headers);
      },
    }),
    defineRoute({
      method: 'GET',
      path: onePath,
      operationId: `getScenario${suffix}`,
      tag,
      summary: 'Read a scenario',
      access: openAccess('scenarios:read'),
      ...limit,
      params,
      responses: {
        200: json(scenarioResponse, { headers: ['ETag'], optionalHeaders: cacheHeaders, example: draftExample }),
      },
      errors: unknownScenario,
      handle: async (request, deps) => {
        const { value, headers } = await readScenario(deps, request, idOf(request.params), isCached);
        return reply(200, value.shown, { ETag: entityTag(value.revision), ...headers });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: onePath,
      operationId: `updateScenario${suffix}`,
      tag,
      summary: 'Change the sent fields of a scenario',
      description: repeatedFields,
      access: openAccess('scenarios:write'),
      ...limit,
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
        const scenario = await updateScenario(createWriter(request, deps), idOf(request.params), body, headers);
        return reply(200, presentScenario(scenario), { ETag: entityTag(scenario.revision) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: onePath,
      operationId: `deleteScenario${suffix}`,
      tag,
      summary: 'Delete a scenario with its logs and its usage',
      access: openAccess('scenarios:write'),
      ...deleteLimit,
      params,
      headers: versioned,
      responses: { 204: empty() },
      errors: { ...unknownScenario, PRECONDITION_FAILED: updateErrors.PRECONDITION_FAILED },
      handle: async (request, deps) => {
        await deleteScenario(createWriter(request, deps), idOf(request.params), request.headers);
        return reply(204);
      },
    }),
  ];
}
