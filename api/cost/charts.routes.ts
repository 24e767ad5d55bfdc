import { type ChartKind, type ChartTheme, chartKinds, chartThemes, drawChart } from '../../shared/cost/charts.ts';
import { readPeriodCost } from '../../shared/cost/paged-cost.ts';
import { pricingOf } from '../../shared/cost/scenario-cost.ts';
import type { Interval, Period } from '../../shared/usage/periods.ts';
import { contentTag } from '../http/entity-tag.ts';
import { idPath, Joi, periodFields, withPeriod } from '../http/input.ts';
import { content, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { createReadSlots, scenarioRead } from './cost-read.ts';
import { intervalField } from './metrics.routes.ts';

const chartPath = idPath.append<{ id: string; kind: ChartKind }>({
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

/** `GET /api/v1/scenarios/{id}/charts/{kind}.svg`: usage and cost as pictures. */
export function chartRoutes(): Route[] {
  const withSlot = createReadSlots();
  return [
    defineRoute({
      ...scenarioRead,
      method: 'GET',
      path: '/api/v1/scenarios/{id}/charts/{kind}.svg',
      operationId: 'getScenarioChart',
      summary: 'Draw a chart of usage or cost',
      description:
        'Shows the usage and cost of the metrics of the same period. All times are in UTC, all amounts in USD.',
      params: chartPath,
      query: chartQuery,
      responses: {
        200: content('image/svg+xml', {
          headers: ['Content-Type', 'Content-Security-Policy', 'ETag'],
        }),
      },
      handle: async ({ params: { id, kind }, query, scenarios, caller }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const { theme, interval, ...period } = query;
        const pricing = { ...(await pricingOf(scenario, deps)), ...period };
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
