import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/caller-slots.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schemas.ts';
import { presentEstimate, presentRegions } from './estimates.presenter.ts';
import { estimateResponse, projectionResponse, regionsResponse } from './estimates.responses.ts';
import { estimateSchemas } from './estimates.schemas.ts';
import { withPricesOf } from './priced-usage.ts';
import { projectScenario } from './projection.presenter.ts';

/** Requests that read and price usage at the same time. */
const maxConcurrent = 2;
const path = '/api/v1/scenarios/{id}';
const errors = {
  NOT_FOUND: 'The scenario does not exist.',
  INVALID_STATE: 'The usage cannot be converted to the requested memory size.',
};

/**
 * Routes that price the usage of a scenario on other terms, in other regions and at another volume.
 */
export function estimateRoutes({ priceBooks }: RouteSettings): Route[] {
  const schemas = estimateSchemas(priceBooks);
  const withSlot = createCallerSlots(maxConcurrent);
  const base = { tag: scenariosTag, access: openAccess('scenarios:read'), params: scenarioPath } as const;
  return [
    defineRoute({
      ...base,
      method: 'GET',
      timeoutMs: longRequestMs,
      path: `${path}/estimate`,
      operationId: 'estimateScenario',
      summary: 'What if: the same usage on other terms',
      description: 'The scenario determines all terms that the query does not name.',
      query: schemas.estimate,
      compressed: 'each',
      responses: { 200: json(estimateResponse) },
      errors,
      handle: async ({ params: { id }, query, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const priced = await withPricesOf(scenario, deps);
        const response = await withSlot(caller, () => presentEstimate(scenario, query, priced));
        return reply(200, response);
      },
    }),
    defineRoute({
      ...base,
      method: 'GET',
      timeoutMs: longRequestMs,
      path: `${path}/estimate/regions`,
      operationId: 'estimateScenarioInRegions',
      summary: 'What if: the same usage in every region, the cheapest first',
      query: schemas.regions,
      compressed: 'each',
      responses: { 200: json(regionsResponse) },
      errors,
      handle: async ({ params: { id }, query, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const priced = await withPricesOf(scenario, deps);
        const response = await withSlot(caller, () => presentRegions(scenario, query, priced));
        return reply(200, response);
      },
    }),
    defineRoute({
      ...base,
      method: 'GET',
      timeoutMs: longRequestMs,
      path: `${path}/projection`,
      operationId: 'projectScenario',
      summary: 'What a month of the scenario costs',
      description:
        'A month has 730 hours. Its volume is `entries_per_month` or `entries_per_second` of the average entry; without both, ' +
        'the observed rate from the first to the last hour with entries. Tiers and free amounts are those of one month. ' +
        'Counts are rounded to whole numbers, and amounts are computed from the exact usage.',
      query: schemas.projection,
      compressed: 'each',
      responses: { 200: json(projectionResponse) },
      errors: {
        ...errors,
        INVALID_STATE:
          'The scenario has no entries, or entries of one hour only and no volume is named, or the usage cannot be converted to the requested memory size.',
      },
      handle: async ({ params: { id }, query, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const priced = await withPricesOf(scenario, deps);
        const response = await withSlot(caller, () => projectScenario(scenario, query, priced));
        return reply(200, response);
      },
    }),
  ];
}
