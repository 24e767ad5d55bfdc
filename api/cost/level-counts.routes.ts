import { type Static, type TInteger, type TOptional, Type } from 'typebox';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { type LevelClass, levelClasses } from '../../shared/scenarios/pipeline.ts';
import { type Interval, intervalLength, intervals, type Period, wholeHours } from '../../shared/usage/periods.ts';
import { readUsage } from '../../shared/usage/read-usage.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { json, reply } from '../http/response.ts';
import { count, named, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { createReadSlots, scenarioRead } from './cost-read.ts';
import { intervalField } from './metrics.routes.ts';

const maxRows = 2_000;

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
const logs = Type.Object(counts as Record<LevelClass, TOptional<TInteger>>, {
  description: `Entries by the class of their level: ${levelClasses.join(', ')}. Absent: no entries.`,
});

export const levelCountsResponse = named('LevelCounts', {
  scenario_id: uuid(),
  interval: oneOf(intervals),
  rows: Type.Array(
    Type.Object({ start: timestamp({ description: 'Start of the UTC hour, or of the UTC day.' }), logs }),
  ),
  next: nullable(timestamp({ description: 'The `from` of the next page; null on the last one.' })),
});

type LevelPage = Pick<Static<typeof levelCountsResponse>, 'rows' | 'next'>;

/**
 * Counts entries by level and by hour or day.
 * @param days hours with their levels, in order.
 * @param limit the most rows.
 */
async function countByLevel(
  days: AsyncIterable<readonly HourUsage[]>,
  { interval, limit }: LevelCountsQuery,
): Promise<LevelPage> {
  const rows: LevelPage['rows'] = [];
  const length = intervalLength(interval);
  for await (const hours of days) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      if (hour.logs === 0n) continue;
      const start = new Date(Math.floor(hour.hour.getTime() / length) * length).toISOString();
      let row = rows.at(-1);
      if (row?.start !== start) {
        if (rows.length === limit) return { rows, next: start };
        row = { start, logs: {} };
        rows.push(row);
      }
      for (const { level, entries } of hour.levels ?? []) row.logs[level] = (row.logs[level] ?? 0) + Number(entries);
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
          readUsage(deps, id, wholeHours(query), (days) => countByLevel(days, query)),
        );
        return reply(200, { scenario_id: id, interval: query.interval, ...page });
      },
    }),
  ];
}
