import { type ChartFormat, drawingVersion } from '../../shared/cost/charts/chart-data.ts';
import type { Chart, ChartThreads } from '../../shared/cost/charts/chart-threads.ts';
import { readPeriodCost } from '../../shared/cost/read-period-cost.ts';
import { unavailable } from '../../shared/errors.ts';
import { ThreadFailure } from '../../shared/process/thread-pool.ts';
import type { RouteDeps } from '../app-deps.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/caller-slots.ts';
import { createWaitingRequests } from '../http/access/concurrent-requests.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import type { AppContext, Caller } from '../http/context.ts';
import { contentTag, matchesTag } from '../http/entity-tag.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { content, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { type ChartPath, type ChartQuery, chartPath, chartQuery } from './charts.schemas.ts';

/** Charts that are read, drawn or waiting. One thread draws several a second. */
const maxWaiting = 20;
/** A page can request all charts of two scenarios at once. */
const maxWaitingPerCaller = 8;
/** A read takes as much memory as the read of a page of metrics. */
const maxConcurrentReads = 2;

/** An SVG has texts with style attributes, and neither scripts nor other files. */
const svgSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const drawAs = {
  svg: (chart: Chart, threads: ChartThreads) => threads.drawSvg(chart),
  png: (chart: Chart, threads: ChartThreads) => threads.drawPng(chart),
};

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

  return async function draw(format: ChartFormat, request: ChartRequest, deps: RouteDeps) {
    const scenario = await findScenario(request.scenarios, request.params.id);
    const leave = waiting.enter(request.caller);
    if (!leave) throw unavailable('Too many charts are being drawn: send the request again later.', 1);
    const { ctx } = request;
    // The page cancels requests when its window is resized. Cancelled requests hold no slot, and
    // their charts are not drawn.
    ctx.res.once('close', leave);
    const stopIfGone = () => {
      if (ctx.res.destroyed) throw unavailable('The client has disconnected.', 1);
    };
    try {
      const { theme, interval, width, ...period } = request.query;
      const { name, region, assumptions } = scenario;
      const book = await deps.priceBooks.ofScenario(scenario);
      const pricing = { region, assumptions, book, fallback: deps.config.priceFallback, ...period };
      const cost = await withSlot(request.caller, async () => {
        stopIfGone();
        return readPeriodCost(deps, scenario._id, pricing, interval);
      });
      stopIfGone();
      const style = { kind: request.params.kind, theme, ...(width === undefined ? {} : { width }) };
      const chart: Chart = { ...style, data: { ...cost, scenario: { name } } };
      const ETag = tagOf(chart, format);
      // A caller with this version gets 304, without a drawing.
      const body = matchesTag(ctx.get('If-None-Match'), ETag) ? '' : await drawAs[format](chart, deps.chartThreads);
      return { body, headers: { ETag } };
    } catch (error) {
      if (error instanceof ThreadFailure) throw unavailable('The chart could not be drawn.', 1, error);
      throw error;
    } finally {
      leave();
    }
  };
}

/** `GET /api/v1/scenarios/{id}/charts/{kind}.svg` and `.png`: usage and cost as pictures. */
export function chartRoutes(): Route[] {
  const draw = createDrawing();
  const shared = {
    method: 'GET',
    timeoutMs: longRequestMs,
    tag: scenariosTag,
    description:
      'Shows the usage and cost of the metrics of the same period. All times are in UTC, all amounts in USD.',
    access: openAccess('scenarios:read'),
    params: chartPath,
    query: chartQuery,
    errors: {
      NOT_FOUND: 'The scenario does not exist.',
      SERVICE_UNAVAILABLE: 'Too many charts are being drawn.',
    },
  } as const;
  return [
    defineRoute({
      ...shared,
      path: '/api/v1/scenarios/{id}/charts/{kind}.svg',
      operationId: 'getScenarioChartSvg',
      summary: 'Draw a chart of usage or cost as SVG',
      compressed: 'each',
      responses: {
        200: content('image/svg+xml', {
          headers: ['Content-Type', 'Content-Security-Policy', 'ETag'],
        }),
      },
      handle: async (request, deps) => {
        const { body, headers } = await draw('svg', request, deps);
        return reply(200, body, {
          ...headers,
          'Content-Type': 'image/svg+xml; charset=utf-8',
          'Content-Security-Policy': svgSecurityPolicy,
        });
      },
    }),
    defineRoute({
      ...shared,
      path: '/api/v1/scenarios/{id}/charts/{kind}.png',
      operationId: 'getScenarioChartPng',
      summary: 'Draw a chart of usage or cost as PNG',
      responses: { 200: content('image/png', { headers: ['Content-Type', 'ETag'] }) },
      handle: async (request, deps) => {
        const { body, headers } = await draw('png', request, deps);
        return reply(200, body, { ...headers, 'Content-Type': 'image/png' });
      },
    }),
  ];
}

/** The tag of a chart, from what it shows: it is known before the chart is drawn. */
function tagOf({ data, ...style }: Chart, format: ChartFormat): string {
  return contentTag({ ...style, format, drawingVersion, data: JSON.stringify(data, withoutBigints) });
}

const withoutBigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
