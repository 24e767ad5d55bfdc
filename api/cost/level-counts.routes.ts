import { wholeHours } from '../../shared/usage/periods.ts';
import { readUsage } from '../../shared/usage/read-usage.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schema.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { levelCountsQuery, levelCountsResponse } from './level-counts.schemas.ts';
import { countByLevel } from './level-counts.ts';

/** Requests that read usage with its levels at the same time. */
const maxConcurrent = 2;

/** `GET /api/v1/scenarios/{id}/metrics/levels`: entries by level and by hour or day. */
export function levelCountRoutes(): Route[] {
  const withSlot = createCallerSlots(maxConcurrent);
  return [
    defineRoute({
      method: 'GET',
      timeoutMs: longRequestMs,
      path: '/api/v1/scenarios/{id}/metrics/levels',
      operationId: 'getScenarioLevels',
      tag: scenariosTag,
      summary: 'Count entries by level and by hour or day',
      description: 'Hours and days without entries are left out.',
      access: openAccess('scenarios:read'),
      params: scenarioPath,
      query: levelCountsQuery,
      compressed: 'each',
      responses: { 200: json(levelCountsResponse) },
      errors: { NOT_FOUND: 'The scenario does not exist.' },
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
