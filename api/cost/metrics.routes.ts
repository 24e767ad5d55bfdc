import type { CustomHelpers } from 'joi';
import { type PageOptions, priceByPage } from '../../shared/cost/paged-cost.ts';
import { hasPipeline, hasPolls } from '../../shared/cost/pipeline/derive-hour.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { readScenarioUsage } from '../../shared/cost/read-scenario-usage.ts';
import { pricingOf } from '../../shared/cost/scenario-cost.ts';
import { minute } from '../../shared/durations.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { serviceVersion } from '../../shared/service-version.ts';
import { type Interval, intervals, type Period } from '../../shared/usage/periods.ts';
import { readUsageVersion } from '../../shared/usage/read-usage.ts';
import { createUsageStore } from '../../shared/usage/usage-store.ts';
import type { RouteDeps } from '../app-deps.ts';
import { contentTag, matchesTag } from '../http/entity-tag.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { createReadSlots, scenarioRead } from './cost-read.ts';
import {
  type MetricsCursor,
  metricsExample,
  metricsResponse,
  parseCursor,
  presentMetrics,
  presentRow,
} from './metrics.schema.ts';

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
            const cost = await priceByPage(readDays, pricing, page, presentRow);
            return presentMetrics(id, pricing, cost, unprocessed);
          }),
        );
        return reply(200, metrics, headers);
      },
    }),
  ];
}
