import { type ChartKind, type ChartTheme, chartKinds, chartThemes, drawChart } from '../../shared/cost/charts.ts';
import { readPeriodCost } from '../../shared/cost/paged-cost.ts';
import type { Interval, Period } from '../../shared/usage/periods.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { contentTag } from '../http/entity-tag.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { content, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schema.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { intervalField } from './metrics.routes.ts';

const chartPath = scenarioPath.append<{ id: string; kind: ChartKind }>({
  kind: Joi.string()
    .valid(...chartKinds)
    .required()
    .example('cost-over-time'),
});

interface ChartQuery extends Period {
  theme: ChartTheme;
  /** Absent: hours, or days where a chart cannot show all hours. */
  interval?: Interval;
}

const chartQuery = withPeriod(
  Joi.object<ChartQuery>({
    ...periodFields,
    interval: intervalField.description(
      'Hours or days. Default: hour; day where there are more than 2,000 hours. A chart shows the first 2,000, and says so.',
    ),
    theme: Joi.string()
      .valid(...chartThemes)
      .default('light')
      .description('Colours for a light or a dark page.'),
  }),
);

/** A read takes as much memory as the read of a page of metrics. */
const maxConcurrent = 2;

/** `GET /api/v1/scenarios/{id}/charts/{kind}.svg`: usage and cost as pictures. */
export function chartRoutes(): Route[] {
  const withSlot = createCallerSlots(maxConcurrent);
  return [
    defineRoute({
      method: 'GET',
      timeoutMs: longRequestMs,
      path: '/api/v1/scenarios/{id}/charts/{kind}.svg',
      operationId: 'getScenarioChart',
      tag: scenariosTag,
      summary: 'Draw a chart of usage or cost',
      description:
        'Shows the usage and cost of the metrics of the same period. All times are in UTC, all amounts in USD.',
      access: openAccess('scenarios:read'),
      params: chartPath,
      query: chartQuery,
      compressed: 'each',
      responses: {
        200: content('image/svg+xml', {
          headers: ['Content-Type', 'Content-Security-Policy', 'ETag'],
        }),
      },
      errors: { NOT_FOUND: 'The scenario does not exist.' },
      handle: async ({ params: { id, kind }, query, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const { theme, interval, ...period } = query;
        const { region, assumptions } = scenario;
        const book = await deps.priceBooks.ofScenario(scenario);
        const pricing = { region, assumptions, book, fallback: deps.config.priceFallback, ...period };
        const cost = await withSlot(caller, () => readPeriodCost(deps, id, pricing, interval));
        const svg = drawChart(kind, { ...cost, scenario }, theme);
        return reply(200, svg, {
          ETag: contentTag({ svg }),
          'Content-Type': 'image/svg+xml; charset=utf-8',
          'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        });
      },
    }),
  ];
}
