import type { CustomHelpers } from 'joi';
import { type Static, type TInteger, type TOptional, Type } from 'typebox';
import { type PageOptions, priceByPage } from '../../shared/cost/paged-cost.ts';
import { hasPipeline, hasPolls } from '../../shared/cost/pipeline/derive-hour.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { readScenarioUsage } from '../../shared/cost/read-scenario-usage.ts';
import { pricingOf } from '../../shared/cost/scenario-cost.ts';
import { minute } from '../../shared/durations.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import { type LevelClass, levelClasses } from '../../shared/scenarios/pipeline.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { serviceVersion } from '../../shared/service-version.ts';
import { type Interval, intervalLength, intervals, type Period, wholeHours } from '../../shared/usage/periods.ts';
import { type ReadDays, readUsage, readUsageVersion } from '../../shared/usage/read-usage.ts';
import { createUsageStore } from '../../shared/usage/usage-store.ts';
import type { RouteDeps } from '../app-deps.ts';
import { contentTag, matchesTag } from '../http/entity-tag.ts';
import { Joi, periodFields, withPeriod } from '../http/input.ts';
import { empty, json, reply } from '../http/response.ts';
import { count, named, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { createReadSlots, scenarioRead } from './cost-read.ts';
import { type MetricsCursor, metricsExample, metricsResponse, parseCursor, presentMetrics } from './metrics.schema.ts';

/** Rows of a page: twelve weeks of hours, five years of days. */
const maxRows = 2_000;
/** A month of hours, two years of days: less than 300 kB. */
const defaultRows = 744;

export interface MetricsQuery extends Period {
  /** Absent: hours, or days where the hours would not fit on one page. */
  interval?: Interval;
  cursor?: MetricsCursor;
  limit: number;
}

export const intervalField = Joi.string().valid(...intervals);

export const metricsQuery = withPeriod(
  Joi.object<MetricsQuery>({
    ...periodFields,
    interval: intervalField.description(
      'Rows by hour or by day. Default: hour; day where the period has more than 2,000 hours.',
    ),
    cursor: Joi.string()
      .custom((text: string, helpers) => parseCursor(text) ?? helpers.error('cursor.form'))
      .messages({ 'cursor.form': 'must be `next` of the page before' })
      .description('Continues the time series: `next` of the page before, with the same period.')
      .example('hour:2026-05-15T00:00:00.000Z'),
    limit: Joi.number().integer().min(1).max(maxRows).default(defaultRows).description('The most rows of a page.'),
  }),
)
  .custom(ofOneInterval)
  .messages({ 'cursor.interval': 'is of another interval' });

/** The page of the time series that a query requests. */
export function pageOf({ interval, cursor, limit }: MetricsQuery): PageOptions {
  return { interval: cursor?.interval ?? interval, maxHours: maxRows, cursor: cursor?.start, limit };
}

function ofOneInterval(query: MetricsQuery, helpers: CustomHelpers): unknown {
  const { interval, cursor } = query;
  if (interval === undefined || cursor === undefined || interval === cursor.interval) return query;
  return helpers.error('cursor.interval', {}, helpers.state.localize?.(['cursor']));
}

/**
 * The tag of metrics, from all that they follow from but the hours: it is known without reading
 * one. Undefined during a roll-up.
 */
export async function readMetricsTag(
  { models, priceBooks, config }: Pick<RouteDeps, 'models' | 'priceBooks' | 'config'>,
  { _id, revision, assumptions }: Scenario,
  { version: book }: PriceBook,
  query: MetricsQuery,
  now = Date.now(),
): Promise<string | undefined> {
  const usage = await readUsageVersion(createUsageStore(models, _id));
  if (usage === undefined) return undefined;
  const complete = applyDefaults(assumptions);
  // The queue is polled in each second of a running hour.
  const isPolling = hasPipeline(complete) && hasPolls(complete);
  return contentTag({
    id: _id,
    query,
    revision,
    usage,
    book,
    ownPrices: priceBooks.overridesRevision,
    fallback: config.priceFallback,
    minute: isPolling ? Math.floor(now / minute) : null,
    serviceVersion,
  });
}

/**
 * `GET /api/v1/scenarios/{id}/metrics`: usage and cost, in total, by service and by hour or day.
 */
export function metricsRoutes(): Route[] {
  const withSlot = createReadSlots();
  return [
    defineRoute({
      ...scenarioRead,
      method: 'GET',
      path: '/api/v1/scenarios/{id}/metrics',
      operationId: 'getScenarioMetrics',
      summary: 'Read usage and cost: in total, by service and over time',
      query: metricsQuery,
      description:
        'While entries arrive, poll it with `If-None-Match`: a 304 costs little. There is no `ETag` while entries are being counted.',
      responses: {
        200: json(metricsResponse, { example: metricsExample, optionalHeaders: ['ETag'] }),
        304: empty({ description: 'The metrics have not changed.', headers: ['ETag'] }),
      },
      handle: async ({ params: { id }, query, scenarios, caller, ctx }, deps) => {
        const scenario = await findScenario(scenarios, id);
        const pricing = { ...(await pricingOf(scenario, deps)), from: query.from, to: query.to };
        // Before the usage: a tag that is older than its metrics only leads to another read.
        const tag = await readMetricsTag(deps, scenario, pricing.book, query);
        const headers = tag === undefined ? {} : { ETag: tag };
        if (tag !== undefined && matchesTag(ctx.get('If-None-Match'), tag)) return reply(304, undefined, { ETag: tag });
        const page = pageOf(query);
        const metrics = await withSlot(caller, () =>
          readScenarioUsage(deps, id, pricing, async (readDays, unprocessed) => {
            const cost = await priceByPage(readDays, pricing, page);
            return presentMetrics(id, pricing, cost, unprocessed);
          }),
        );
        return reply(200, metrics, headers);
      },
    }),
  ];
}

interface LevelCountsQuery extends Period {
  interval: Interval;
  limit: number;
}

const levelCountsQuery = withPeriod(
  Joi.object<LevelCountsQuery>({
    ...periodFields,
    interval: intervalField.default('hour').description('Rows by hour or by day.'),
    limit: Joi.number().integer().min(1).max(maxRows).default(maxRows).description('The most rows of a page.'),
  }),
);

const counts = Object.fromEntries(levelClasses.map((level) => [level, Type.Optional(count())]));
const logsByLevel = Type.Object(counts as Record<LevelClass, TOptional<TInteger>>, {
  description: `Entries by the class of their level: ${levelClasses.join(', ')}. Absent: no entries.`,
});

export const levelCountsResponse = named('LevelCounts', {
  scenario_id: uuid(),
  interval: oneOf(intervals),
  rows: Type.Array(
    Type.Object({ start: timestamp({ description: 'Start of the UTC hour, or of the UTC day.' }), logs: logsByLevel }),
  ),
  next: nullable(timestamp({ description: 'The `from` of the next page; null on the last one.' })),
});

type LevelPage = Pick<Static<typeof levelCountsResponse>, 'rows' | 'next'>;

/**
 * Counts entries by level and by hour or day.
 * @param readDays reads hours with their levels.
 * @param limit the most rows.
 */
async function countByLevel(readDays: ReadDays, { interval, limit }: LevelCountsQuery): Promise<LevelPage> {
  const rows: LevelPage['rows'] = [];
  const length = intervalLength(interval);
  for await (const hours of readDays(() => 'hours')) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      if (!('hour' in hour) || hour.logs < 1) continue;
      const start = new Date(Math.floor(hour.hour.getTime() / length) * length).toISOString();
      let row = rows.at(-1);
      if (row?.start !== start) {
        if (rows.length === limit) return { rows, next: start };
        row = { start, logs: {} };
        rows.push(row);
      }
      for (const level of levelClasses) {
        const counters = hour.levels?.[level];
        if (counters) row.logs[level] = (row.logs[level] ?? 0) + Number(counters.entries);
      }
    }
  }
  return { rows, next: null };
}

/** `GET /api/v1/scenarios/{id}/metrics/levels`: entries by level and by hour or day. */
export function levelCountRoutes(): Route[] {
  const withSlot = createReadSlots();
  return [
    defineRoute({
      ...scenarioRead,
      method: 'GET',
      path: '/api/v1/scenarios/{id}/metrics/levels',
      operationId: 'getScenarioLevels',
      summary: 'Count entries by level and by hour or day',
      description: 'Hours and days without entries are left out.',
      query: levelCountsQuery,
      responses: { 200: json(levelCountsResponse) },
      handle: async ({ params: { id }, query, scenarios, caller }, { models, queues }) => {
        await findScenario(scenarios, id);
        const deps = { models, queues, withLevels: true };
        const page = await withSlot(caller, () =>
          readUsage(deps, id, wholeHours(query), (readDays) => countByLevel(readDays, query)),
        );
        return reply(200, { scenario_id: id, interval: query.interval, ...page });
      },
    }),
  ];
}
