import {
  type ChartKind,
  type ChartTheme,
  chartKinds,
  chartThemes,
  drawingVersion,
} from '../../shared/cost/charts/chart-data.ts';
import type { Chart } from '../../shared/cost/charts/chart-threads.ts';
import { readPeriodCost } from '../../shared/cost/paged-cost.ts';
import { unavailable } from '../../shared/errors.ts';
import { ThreadFailure } from '../../shared/process/thread-pool.ts';
import type { Interval, Period } from '../../shared/usage/periods.ts';
import type { RouteDeps } from '../app-deps.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots, createWaitingRequests } from '../http/access/concurrent-requests.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import type { AppContext, Caller } from '../http/context.ts';
import { contentTag, matchesTag } from '../http/entity-tag.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { content, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schema.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { intervalField } from './metrics.routes.ts';

interface ChartPath {
  id: string;
  kind: ChartKind;
}

const chartPath = scenarioPath.append<ChartPath>({
  kind: Joi.string()
    .valid(...chartKinds)
    .required()
    .example('cost-over-time'),
});

interface ChartQuery extends Period {
  theme: ChartTheme;
  /** In CSS pixels. */
  width?: number;
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
    width: Joi.number()
      .integer()
      .min(320)
      .max(1600)
      .description('Width in CSS pixels, for which the text is laid out. Default: 800.'),
  }),
);

/** Charts that are read, drawn or waiting. One thread draws several a second. */
const maxWaiting = 20;
/** A page can request all charts of two scenarios at once. */
const maxWaitingPerCaller = 8;
/** A read takes as much memory as the read of a page of metrics. */
const maxConcurrentReads = 2;

/** An SVG has texts with style attributes, and neither scripts nor other files. */
const svgSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

interface ChartRequest {
  readonly params: ChartPath;
  readonly query: ChartQuery;
  readonly scenarios: OwnedScenarios;
  readonly caller: Caller;
  readonly ctx: AppContext;
}

/** Creates the function that reads and draws charts, for few requests at a time. */
function createDrawing() {
  const waiting = createWaitingRequests(maxWaitingPerCaller, maxWaiting);
  const withSlot = createCallerSlots(maxConcurrentReads);

  return async function draw({ params, query, scenarios, caller, ctx }: ChartRequest, deps: RouteDeps) {
    const scenario = await findScenario(scenarios, params.id);
    const leave = waiting.enter(caller);
    if (!leave) throw unavailable('Too many charts are being drawn: send the request again later.', 1);
    // The page cancels requests when its window is resized. Cancelled requests hold no slot, and
    // their charts are not drawn.
    ctx.res.once('close', leave);
    const stopIfGone = () => {
      if (ctx.res.destroyed) throw unavailable('The client has disconnected.', 1);
    };
    try {
      const { theme, interval, width, ...period } = query;
      const { name, region, assumptions } = scenario;
      const book = await deps.priceBooks.ofScenario(scenario);
      const pricing = { region, assumptions, book, fallback: deps.config.priceFallback, ...period };
      const cost = await withSlot(caller, async () => {
        stopIfGone();
        return readPeriodCost(deps, scenario._id, pricing, interval);
      });
      stopIfGone();
      const style = { kind: params.kind, theme, ...(width === undefined ? {} : { width }) };
      const chart: Chart = { ...style, data: { ...cost, scenario: { name } } };
      const ETag = tagOf(chart);
      // A caller with this version gets 304, without a drawing.
      const body = matchesTag(ctx.get('If-None-Match'), ETag) ? '' : await deps.chartThreads.drawSvg(chart);
      return { body, headers: { ETag } };
    } catch (error) {
      if (error instanceof ThreadFailure) throw unavailable('The chart could not be drawn.', 1, error);
      throw error;
    } finally {
      leave();
    }
  };
}

/** `GET /api/v1/scenarios/{id}/charts/{kind}.svg`: usage and cost as pictures. */
export function chartRoutes(): Route[] {
  const draw = createDrawing();
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
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        SERVICE_UNAVAILABLE: 'Too many charts are being drawn.',
      },
      handle: async (request, deps) => {
        const { body, headers } = await draw(request, deps);
        return reply(200, body, {
          ...headers,
          'Content-Type': 'image/svg+xml; charset=utf-8',
          'Content-Security-Policy': svgSecurityPolicy,
        });
      },
    }),
  ];
}

/** The tag of a chart, from what it shows: it is known before the chart is drawn. */
function tagOf({ data, ...style }: Chart): string {
  return contentTag({ ...style, drawingVersion, data: JSON.stringify(data, withoutBigints) });
}

const withoutBigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
