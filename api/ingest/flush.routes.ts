import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { second } from '../../shared/durations.ts';
import { unavailable } from '../../shared/errors.ts';
import { queuedBefore } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import { openAccess } from '../http/access/access-rules.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import { Joi, uuid } from '../http/input.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { ingestTag } from './ingest.routes.ts';

const flushHeaders = Joi.object<{ 'X-Scenario-ID'?: string }>({
  'X-Scenario-ID': uuid().description('Id of the scenario. Default: all scenarios.'),
});

const flushed = Type.Object({ status: Type.Literal('flushed'), pending: Type.Literal(0) }, { $id: 'Flushed' });

/** `POST /flush`: waits until the entries that were accepted before the request are processed. */
export function flushRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/flush',
      operationId: 'flushIngest',
      tag: ingestTag,
      summary: 'Wait until all log entries accepted so far are processed',
      description: 'With `X-Scenario-ID`, it waits for the entries of that scenario only.',
      access: openAccess('ingest'),
      // The rate limit of the tier `free`.
      limit: { name: 'free' },
      idempotency: 'none',
      timeoutMs: config.flushWaitMs + config.mongodbTimeoutMs,
      headers: flushHeaders,
      responses: { 200: json(flushed) },
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        SERVICE_UNAVAILABLE:
          'Entries are not processed within the time limit, or too many requests of the caller are waiting.',
      },
      handle: async ({ headers, caller, scenarios }, { models, waitingRequests }) => {
        const scenarioId = headers['X-Scenario-ID'];
        if (scenarioId !== undefined) await findScenario(scenarios, scenarioId);
        const endWait = waitingRequests.require(caller);
        try {
          const ids = scenarioId === undefined ? await ownScenarios(scenarios) : [scenarioId];
          const left = await waitUntilProcessed(models, ids, config.flushWaitMs);
          if (left > 0) {
            throw unavailable(
              `Batches of log entries that are not processed yet: ${left}; send the request again later.`,
              5,
            );
          }
        } finally {
          endWait();
        }
        return reply(200, { status: 'flushed', pending: 0 });
      },
    }),
  ];
}

const firstPause = 25;
const longestPause = second / 2;

/** @returns the number of batches that are still queued after `limitMs`. */
async function waitUntilProcessed(
  { logBatch }: Pick<Models, 'logBatch'>,
  scenarioIds: readonly string[] | undefined,
  limitMs: number,
): Promise<number> {
  const endsAt = performance.now() + limitMs;
  const queued = queuedBefore(new Date(), scenarioIds);
  for (let pause = firstPause; (await logBatch.exists(queued)) !== null; pause = Math.min(2 * pause, longestPause)) {
    const left = endsAt - performance.now();
    if (left <= 0) return logBatch.countDocuments(queued);
    await sleep(Math.min(pause, left));
  }
  return 0;
}

/** @returns undefined for a caller that sees the scenarios of all. */
async function ownScenarios({ model, visible }: OwnedScenarios): Promise<string[] | undefined> {
  if (!visible.createdBy) return undefined;
  const found = await model.find(visible, { _id: 1 }).lean();
  return found.map(({ _id }) => _id);
}
