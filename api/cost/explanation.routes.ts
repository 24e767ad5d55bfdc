import { priceMonths, pricingOf, readMonths } from '../../shared/cost/scenario-cost.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { createReadSlots, scenarioRead } from './cost-read.ts';
import { explanationResponse, presentExplanation } from './explanation.schema.ts';

/** `GET /api/v1/scenarios/{id}/metrics/explain`: how every amount of the metrics comes about. */
export function explanationRoutes(): Route[] {
  const withSlot = createReadSlots();
  return [
    defineRoute({
      ...scenarioRead,
      method: 'GET',
      path: '/api/v1/scenarios/{id}/metrics/explain',
      operationId: 'explainScenarioMetrics',
      summary: 'Explain the cost: quantity, rule, tier, unit price and its source, by month',
      description: 'The amounts of the lines are not rounded. Those of all months add up to `totals.cost` exactly.',
      query: withPeriod(Joi.object<Period>(periodFields)),
      responses: { 200: json(explanationResponse) },
      handle: async ({ params: { id }, query, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const pricing = await pricingOf(scenario, deps);
        const explanation = await withSlot(caller, async () => {
          const usage = await readMonths(deps, id, { ...pricing, ...query });
          return presentExplanation(id, pricing, await priceMonths(usage, pricing));
        });
        return reply(200, explanation);
      },
    }),
  ];
}
