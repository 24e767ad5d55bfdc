import { type Transition, transitions } from '../../shared/scenarios/scenario.model.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { isVisible, owned, ownershipOf } from '../http/access/ownership.ts';
import { empty, json, reply } from '../http/answer.ts';
import { conditionalHeaders, entityTag } from '../http/entity-tag.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { findScenario, listScenarios } from './scenario-store.ts';
import { createWriter } from './scenario-writer.ts';
import { createScenario, deleteScenario, transitionScenario, updateScenario } from './scenario-writes.ts';
import { draftExample, scenarioListExample, transitionExamples } from './scenarios.examples.ts';
import { presentScenario, scenarioAnswer, scenarioListAnswer } from './scenarios.presenter.ts';
import {
  nameTaken,
  repeatedFields,
  scenarioPath,
  scenarioSchemas,
  unknownScenario,
  updateErrors,
} from './scenarios.schemas.ts';

export const scenariosTag: RouteTag = {
  name: 'scenarios',
  description: 'Cost scenarios, each for one cloud region, and their lifecycle: draft, running, completed, archived.',
};

const path = '/api/v1/scenarios';

/** `/api/v1/scenarios`: scenarios and their lifecycle. */
export function scenarioRoutes({ priceBook, config }: RouteSettings): Route[] {
  const schemas = scenarioSchemas(priceBook, config.pageSize);

  return [
    defineRoute({
      method: 'POST',
      path,
      operationId: 'createScenario',
      tag: scenariosTag,
      summary: 'Create a scenario',
      access: openAccess('scenarios:write'),
      body: {
        name: 'ScenarioCreate',
        schema: schemas.create,
        example: { name: 'Peak season', region: 'eu-west-1', assumptions: { function: { memory_mb: 512 } } },
      },
      answers: { 201: json(scenarioAnswer, { headers: ['Location', 'ETag'], example: draftExample }) },
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
      operationId: 'listScenarios',
      tag: scenariosTag,
      summary: 'List scenarios',
      access: openAccess('scenarios:read'),
      query: schemas.list,
      compressed: 'each',
      answers: { 200: json(scenarioListAnswer, { example: scenarioListExample }) },
      handle: async ({ query, scenarios }) => {
        const { scenarios: listed, total } = await listScenarios(scenarios, query);
        const { page, page_size } = query;
        return reply(200, { items: listed.map(presentScenario), total, page, page_size });
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}`,
      operationId: 'getScenario',
      tag: scenariosTag,
      summary: 'Read a scenario',
      access: openAccess('scenarios:read'),
      params: scenarioPath,
      answers: { 200: json(scenarioAnswer, { headers: ['ETag'], example: draftExample }) },
      errors: unknownScenario,
      handle: async ({ params, scenarios }) => {
        const scenario = await findScenario(scenarios, params.id);
        return reply(200, presentScenario(scenario), { ETag: entityTag(scenario.revision) });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/{id}`,
      operationId: 'updateScenario',
      tag: scenariosTag,
      summary: 'Change the sent fields of a scenario',
      description: repeatedFields,
      access: openAccess('scenarios:write'),
      params: scenarioPath,
      headers: conditionalHeaders,
      body: {
        name: 'ScenarioUpdate',
        schema: schemas.update,
        example: { description: 'With the traffic of December' },
      },
      answers: {
        200: json(scenarioAnswer, {
          headers: ['ETag'],
          example: { ...draftExample, description: 'With the traffic of December' },
        }),
      },
      errors: updateErrors,
      handle: async (request, deps) => {
        const { params, body, headers } = request;
        const scenario = await updateScenario(createWriter(request, deps), params.id, body, headers);
        return reply(200, presentScenario(scenario), { ETag: entityTag(scenario.revision) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: 'deleteScenario',
      tag: scenariosTag,
      summary: 'Delete a scenario with its logs and its usage',
      access: openAccess('scenarios:write'),
      params: scenarioPath,
      headers: conditionalHeaders,
      answers: { 204: empty() },
      errors: { ...unknownScenario, PRECONDITION_FAILED: updateErrors.PRECONDITION_FAILED },
      handle: async (request, deps) => {
        await deleteScenario(createWriter(request, deps), request.params.id, request.headers);
        return reply(204);
      },
    }),
    ...(Object.keys(transitions) as Transition[]).map((transition) =>
      defineRoute({
        method: 'POST',
        path: `${path}/{id}/${transition}`,
        operationId: `${transition}Scenario`,
        tag: scenariosTag,
        summary: `Change the status from ${transitions[transition].from} to ${transitions[transition].to}`,
        access: openAccess('scenarios:write'),
        params: scenarioPath,
        answers: { 200: json(scenarioAnswer, { headers: ['ETag'], example: transitionExamples[transition] }) },
        errors: { ...unknownScenario, INVALID_STATE: `The scenario is not ${transitions[transition].from}.` },
        // The answer shows the scenario, which can belong to another owner by now.
        isReplayable: async (answer, { allOwners, config }, caller) => {
          const scenarios = owned(allOwners.scenario, ownershipOf(caller, config.auth.access));
          return isVisible(scenarios, (answer as { id: string }).id);
        },
        handle: async (request, deps) => {
          const scenario = await transitionScenario(createWriter(request, deps), request.params.id, transition);
          return reply(200, presentScenario(scenario), { ETag: entityTag(scenario.revision) });
        },
      }),
    ),
  ];
}
