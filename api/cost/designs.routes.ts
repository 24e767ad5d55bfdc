import { compareDesigns } from '../../shared/cost/compare-designs.ts';
import { readAtRate } from '../../shared/cost/months-on-terms.ts';
import { pricingOf } from '../../shared/cost/scenario-cost.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { createReadSlots, scenarioRead } from './cost-read.ts';
import { designsBody, designsQuery, designsResponse } from './designs.schema.ts';

/**
 * `POST /api/v1/scenarios/{id}/designs`: what the same entries cost otherwise, and a month of them.
 */
export function designRoutes({ priceBooks }: RouteSettings): Route[] {
  const withSlot = createReadSlots();
  return [
    defineRoute({
      ...scenarioRead,
      method: 'POST',
      path: '/api/v1/scenarios/{id}/designs',
      operationId: 'compareDesigns',
      summary: 'What if: usage and cost of designs, of the entries and of a month, and the cheapest',
      description:
        'A design changes region, prices or assumptions; what it does not name stays as the scenario has it. ' +
        'Usage follows from the counters of the entries, so nothing is ingested again, and nothing is stored. ' +
        'Without `designs`, five standard designs are compared; a standard design without a price is `missing`. ' +
        'A month has `volume`, or the observed rate.',
      query: designsQuery,
      body: {
        name: 'DesignsRequest',
        schema: designsBody(priceBooks),
        optional: true,
        example: {
          designs: [
            {
              name: '50 lines a call',
              assumptions: {
                pipeline: {
                  function: { batch_size: 50, window_seconds: 5 },
                  inference: { entries_per_call: 50, prompt_tokens: 800, output_tokens_per_call: 300 },
                },
              },
            },
          ],
          volume: { entries_per_month: 1_000_000 },
        },
      },
      idempotency: 'none',
      responses: { 200: json(designsResponse) },
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        INVALID_STATE: 'The usage cannot be converted to the memory size of a design.',
      },
      handle: async ({ params: { id }, query, body, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const pricing = await pricingOf(scenario, deps);
        const designDeps = { ...deps, readRated: readAtRate(deps, id) };
        const designs = await withSlot(caller, () => compareDesigns(id, pricing, { ...query, ...body }, designDeps));
        return reply(200, designs);
      },
    }),
  ];
}
