import { usageNeededFor } from '../../../shared/pricing/periods.ts';
import { createTurns } from '../../../shared/runtime/turns.ts';
import { readUsage } from '../../../shared/services/usage-ledger.ts';
import { openAccess } from '../../routing/access.ts';
import { json, reply } from '../../routing/answer.ts';
import { defineRoute, type Route } from '../../routing/route.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schemas.ts';
import { metricsAnswer } from './metrics.answers.ts';
import { metricsExample } from './metrics.examples.ts';
import { presentMetrics } from './metrics.presenter.ts';
import { metricsQuery } from './metrics.schemas.ts';

/** The usage of a scenario can take 50 MiB of memory, so few requests read it at the same time. */
const maxConcurrent = 2;

/** `GET /api/v1/scenarios/{id}/metrics`: usage and cost, in total, by service and by hour or day. */
export function metricsRoutes(): Route[] {
  const inTurn = createTurns(maxConcurrent);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/scenarios/{id}/metrics',
      operationId: 'getScenarioMetrics',
      tag: scenariosTag,
      summary: 'Read usage and cost: in total, by service and over time',
      access: openAccess('scenarios:read'),
      params: scenarioPath,
      query: metricsQuery,
      answers: { 200: json(metricsAnswer, { example: metricsExample }) },
      errors: { NOT_FOUND: 'The scenario does not exist.' },
      handle: async ({ params: { id }, query, scenarios }, { models, priceBook, config }) => {
        const { region, assumptions } = await findScenario(scenarios, id);
        const prices = { priceBook, fallback: config.priceFallback };
        const metrics = await inTurn(async () => {
          const hours = await readUsage(models, id, usageNeededFor(query));
          return presentMetrics({ id, region, assumptions }, hours, query, prices);
        });
        return reply(200, metrics);
      },
    }),
  ];
}
