import { priceByPage } from '../../shared/cost/paged-cost.ts';
import { readScenarioUsage } from '../../shared/cost/read-scenario-usage.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { matchesTag } from '../http/entity-tag.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schema.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { metricsExample } from './metrics.examples.ts';
import { presentMetrics, presentRow } from './metrics.presenter.ts';
import { metricsResponse } from './metrics.responses.ts';
import { metricsQuery, pageOf } from './metrics.schemas.ts';
import { readMetricsTag } from './metrics-tag.ts';

/**
 * A request takes about 15 MiB of memory, for its page and the days that it reads, and up to 40
 * more for pending usage.
 */
const maxConcurrent = 2;

/**
 * `GET /api/v1/scenarios/{id}/metrics`: usage and cost, in total, by service and by hour or day.
 */
export function metricsRoutes(): Route[] {
  const withSlot = createCallerSlots(maxConcurrent);
  return [
    defineRoute({
      method: 'GET',
      timeoutMs: longRequestMs,
      path: '/api/v1/scenarios/{id}/metrics',
      operationId: 'getScenarioMetrics',
      tag: scenariosTag,
      summary: 'Read usage and cost: in total, by service and over time',
      access: openAccess('scenarios:read'),
      params: scenarioPath,
      query: metricsQuery,
      compressed: 'each',
      description:
        'While entries arrive, poll it with `If-None-Match`: a 304 costs little. There is no `ETag` while entries are being counted.',
      responses: {
        200: json(metricsResponse, { example: metricsExample, optionalHeaders: ['ETag'] }),
        304: empty({ description: 'The metrics have not changed.', headers: ['ETag'] }),
      },
      errors: { NOT_FOUND: 'The scenario does not exist.' },
      handle: async ({ params: { id }, query, scenarios, caller, ctx }, deps) => {
        const { models, queues, priceBooks, config } = deps;
        const scenario = await findScenario(scenarios, id);
        const { region, assumptions } = scenario;
        const book = await priceBooks.ofScenario(scenario);
        // Before the usage: a tag that is older than its metrics only leads to another read.
        const tag = await readMetricsTag(deps, scenario, book, query);
        const headers = tag === undefined ? {} : { ETag: tag };
        if (tag !== undefined && matchesTag(ctx.get('If-None-Match'), tag)) return reply(304, undefined, { ETag: tag });
        const { from, to } = query;
        const pricing = { region, assumptions, book, fallback: config.priceFallback, from, to };
        const page = pageOf(query);
        const metrics = await withSlot(caller, () =>
          readScenarioUsage({ models, queues }, id, pricing, async (readDays, unprocessed) => {
            const cost = await priceByPage(readDays, pricing, page, presentRow);
            return presentMetrics({ id, region }, book, cost, unprocessed);
          }),
        );
        return reply(200, metrics, headers);
      },
    }),
  ];
}
