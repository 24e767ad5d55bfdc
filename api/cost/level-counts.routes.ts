import { Type } from 'typebox';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { type LevelClass, levelClasses } from '../../shared/scenarios/pipeline.ts';
import { type Interval, intervalLength, intervals, type Period, wholeHours } from '../../shared/usage/periods.ts';
import { readUsage } from '../../shared/usage/read-usage.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';
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

const logs = Type.Object(
  {
    trace: Type.Optional(count()),
    debug: Type.Optional(count()),
    info: Type.Optional(count()),
    warn: Type.Optional(count()),
    error: Type.Optional(count()),
    fatal: Type.Optional(count()),
    other: Type.Optional(count()),
    none: Type.Optional(count()),
  },
  { description: `Entries by the class of their level: ${levelClasses.join(', ')}. Absent: no entries.` },
);

export const levelCountsResponse = Type.Object(
  {
    scenario_id: uuid(),
    interval: oneOf(intervals),
    rows: Type.Array(
      Type.Object({ start: timestamp({ description: 'Start of the UTC hour, or of the UTC day.' }), logs }),
    ),
    next: nullable(timestamp({ description: 'The `from` of the next page; null on the last one.' })),
  },
  { $id: 'LevelCounts' },
);

interface LevelRow {
  /** The start of the UTC hour or day, in epoch milliseconds. */
  readonly start: number;
  readonly logs: Map<LevelClass, bigint>;
}

interface LevelPage {
  /** Hours or days with entries, ascending. */
  readonly rows: readonly LevelRow[];
  /** The start of the row after the last one; null if there is none. */
  readonly next: number | null;
}

/**
 * Counts entries by level and by hour or day.
 * @param days hours with their levels, in order.
 * @param limit the most rows.
 */
async function countByLevel(
  days: AsyncIterable<readonly HourUsage[]>,
  { interval, limit }: { interval: Interval; limit: number },
): Promise<LevelPage> {
  const rows: LevelRow[] = [];
  const length = intervalLength(interval);
  for await (const hours of days) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      if (hour.logs === 0n) continue;
      const start = Math.floor(hour.hour.getTime() / length) * length;
      if (rows.at(-1)?.start !== start) {
        if (rows.length === limit) return { rows, next: start };
        rows.push({ start, logs: new Map() });
      }
      addHour(rows.at(-1)?.logs ?? new Map(), hour);
    }
  }
  return { rows, next: null };
}

function addHour(sums: Map<LevelClass, bigint>, { levels = [] }: HourUsage): void {
  for (const { level, entries } of levels) sums.set(level, (sums.get(level) ?? 0n) + entries);
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
        const { rows, next } = await withSlot(caller, () =>
          readUsage(deps, id, wholeHours(query), (days) => countByLevel(days, query)),
        );
        return reply(200, {
          scenario_id: id,
          interval: query.interval,
          rows: rows.map(({ start, logs }) => ({
            start: new Date(start).toISOString(),
            logs: Object.fromEntries([...logs].map(([level, entries]) => [level, Number(entries)])),
          })),
          next: next === null ? null : new Date(next).toISOString(),
        });
      },
    }),
  ];
}
