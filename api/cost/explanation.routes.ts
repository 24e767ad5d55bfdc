import { readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import { priceOnTerms } from '../../shared/cost/priced-usage.ts';
import { ownTerms } from '../../shared/cost/terms.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schema.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { explanationResponse, presentExplanation } from './explanation.presenter.ts';
import { explanationQuery } from './explanation.schemas.ts';
import { withPricesOf } from './with-prices.ts';

/** Requests that read and price usage at the same time. */
const maxConcurrent = 2;

/** `GET /api/v1/scenarios/{id}/metrics/explain`: how every amount of the metrics comes about. */
export function explanationRoutes(): Route[] {
  const withSlot = createCallerSlots(maxConcurrent);
  return [
    defineRoute({
      method: 'GET',
      timeoutMs: longRequestMs,
      path: '/api/v1/scenarios/{id}/metrics/explain',
      operationId: 'explainScenarioMetrics',
      tag: scenariosTag,
      summary: 'Explain the cost: quantity, rule, tier, unit price and its source, by month',
      description: 'The amounts of the lines are not rounded. Those of all months add up to `totals.cost` exactly.',
      access: openAccess('scenarios:read'),
      params: scenarioPath,
      query: explanationQuery,
      compressed: 'each',
      responses: { 200: json(explanationResponse) },
      errors: { NOT_FOUND: 'The scenario does not exist.' },
      handle: async ({ params: { id }, query, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const priced = await withPricesOf(scenario, deps);
        const explanation = await withSlot(caller, async () => {
          const terms = ownTerms(scenario, priced.priceBook);
          const usage = await readMonthsOn(deps, scenario, terms, query);
          const cost = await priceOnTerms(usage, terms, priced);
          return presentExplanation(scenario, usage, cost, query, priced);
        });
        return reply(200, explanation);
      },
    }),
  ];
}
