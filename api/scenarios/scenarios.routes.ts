import { type Scenario, type Transition, transitions } from '../../shared/scenarios/scenario.model.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { isVisible, owned, ownershipOf } from '../http/access/ownership.ts';
import { entityTag } from '../http/entity-tag.ts';
import { Joi } from '../http/joi.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { type ScenarioVersion, scenarioResource } from './scenario-resource.ts';
import { transitionScenario } from './scenario-transitions.ts';
import { createWriter } from './scenario-writer.ts';
import { transitionExamples } from './scenarios.examples.ts';
import { presentScenario, scenarioResponse } from './scenarios.presenter.ts';
import { scenarioPath, unknownScenario } from './scenarios.schemas.ts';

export const scenariosTag: RouteTag = {
  name: 'scenarios',
  description: 'Cost scenarios, each for one cloud region, and their lifecycle: draft, running, completed, archived.',
};

const path = '/api/v1/scenarios';

const invalidState: Readonly<Record<Transition, string>> = {
  start:
    'The scenario is not draft, or the price book that would price it lacks its region or model: `details` names the field.',
  stop: 'The scenario is not running.',
  archive: 'The scenario is not completed.',
};

const version: ScenarioVersion = {
  path,
  idName: 'id',
  tag: scenariosTag,
  suffix: '',
  hasTierLimits: false,
  isCached: false,
  userHeaders: Joi.object({}),
  exampleName: 'Peak season',
};

/** `/api/v1/scenarios`: scenarios and their lifecycle. */
export function scenarioRoutes(settings: RouteSettings): Route[] {
  return [
    ...scenarioResource(version, settings),
    ...(Object.keys(transitions) as Transition[]).map((transition) =>
      defineRoute({
        method: 'POST',
        path: `${path}/{id}/${transition}`,
        operationId: `${transition}Scenario`,
        tag: scenariosTag,
        summary: `Change the status from ${transitions[transition].from} to ${transitions[transition].to}`,
        access: openAccess('scenarios:write'),
        params: scenarioPath,
        responses: { 200: json(scenarioResponse, { headers: ['ETag'], example: transitionExamples[transition] }) },
        errors: { ...unknownScenario, INVALID_STATE: invalidState[transition] },
        // The response shows the scenario, which can belong to another owner by now.
        isReplayable: async (response, { allOwners, config }, caller) => {
          const scenarios = owned<Scenario>(allOwners.scenario, ownershipOf(caller, config.auth.access));
          return isVisible(scenarios, (response as { id: string }).id);
        },
        handle: async (request, deps) => {
          const scenario = await transitionScenario(createWriter(request, deps), request.params.id, transition);
          return reply(200, presentScenario(scenario), { ETag: entityTag(scenario.revision) });
        },
      }),
    ),
  ];
}
