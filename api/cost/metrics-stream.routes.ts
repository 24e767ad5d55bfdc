import { Readable } from 'node:stream';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { checkAccess } from '../http/access/access.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { owned, ownershipOf } from '../http/access/ownership.ts';
import { Joi } from '../http/joi.ts';
import { reply, stream } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';
import { scenarioPath } from '../scenarios/scenarios.schemas.ts';

const access = openAccess('scenarios:read');

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'X-Accel-Buffering': 'no',
} as const;

interface StreamHeaders {
  'Last-Event-ID'?: string;
}

const headers = Joi.object<StreamHeaders>({
  'Last-Event-ID': Joi.string()
    .max(100)
    .description('`id` of the last event of an earlier stream: the metrics are sent first only if they have changed.'),
});

/** `GET /api/v1/scenarios/{id}/metrics/stream`: the totals of the metrics as they change. */
export function metricsStreamRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/scenarios/{id}/metrics/stream',
      operationId: 'streamScenarioMetrics',
      tag: scenariosTag,
      summary: 'Follow usage and cost as they change',
      description: [
        'Server-sent events. `event: metrics` has the JSON of `GET /api/v1/scenarios/{id}/metrics` without `interval`, `timeseries` and',
        '`next`, with the `status` of the scenario; its `id` is the version of the numbers. The first one is sent at once, then one per',
        'change, at most once a second. Comments keep the connection from being idle. `event: end` is the last one, with a `reason`:',
        '`deleted` (the scenario), `access` (the credentials have ended), or `shutdown` (of the process: connect again).',
      ].join(' '),
      access,
      params: scenarioPath,
      headers,
      responses: {
        200: stream(['text/event-stream'], { headers: ['Content-Type', 'X-Accel-Buffering'] }),
      },
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        SERVICE_UNAVAILABLE: 'The database is unreachable, or too many streams are open.',
      },
      handle: async ({ params: { id }, headers: sent, scenarios, caller, ctx }, deps) => {
        await findScenario(scenarios, id);
        // Nothing would read the stream.
        if (ctx.method === 'HEAD') return reply(200, Readable.from([]), streamHeaders);
        const events = await deps.liveMetrics.open({
          scenarioId: id,
          caller,
          lastEventId: sent['Last-Event-ID'],
          checkAccess: async () => {
            const ownership = ownershipOf(await checkAccess(ctx, access, deps), deps.config.auth.access);
            await findScenario(owned<Scenario>(deps.allOwners.scenario, ownership), id);
          },
          disconnect: () => {
            if (!ctx.res.writableFinished) ctx.res.destroy();
          },
        });
        // The client can have disconnected during the first read.
        if (ctx.res.destroyed) events.destroy();
        return reply(200, events, streamHeaders);
      },
    }),
  ];
}
