import { Type } from 'typebox';
import { unavailable } from '../../shared/errors.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { tooManyWaiting } from '../http/access/concurrent-requests.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { ingestTag } from './ingest.routes.ts';
import { flushHeaders } from './ingest.schemas.ts';

const flushed = Type.Object({ status: Type.Literal('flushed'), pending: Type.Literal(0) }, { $id: 'Flushed' });

/**
 * `POST /flush`: waits until all entries accepted before the request are processed, then responses.
 * With `X-Scenario-ID`, it waits for the entries of that scenario only.
 */
export function flushRoutes(): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/flush',
      operationId: 'flushIngest',
      tag: ingestTag,
      summary: 'Wait until all log entries accepted so far are processed',
      access: openAccess('ingest'),
      // The rate limit of the tier `free`.
      limit: { name: 'free' },
      headers: flushHeaders,
      responses: { 200: json(flushed) },
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        SERVICE_UNAVAILABLE:
          'The queue is unreachable, entries are not processed within the time limit, or too many requests of the caller are waiting.',
      },
      handle: async ({ headers, caller, scenarios }, { flushWait, config, waitingRequests }) => {
        const scenarioId = headers['X-Scenario-ID'];
        if (scenarioId !== undefined) await findScenario(scenarios, scenarioId);
        const endWait = waitingRequests.enter(caller);
        if (!endWait) throw tooManyWaiting();
        try {
          const choose = async (ids: string[]) =>
            scenarioId === undefined ? filterVisible(ids, scenarios) : new Set([scenarioId]);
          const unfinished = await flushWait(choose, config.flushWaitMs);
          if (unfinished > 0) throw unfinishedJobs(unfinished);
        } finally {
          endWait();
        }
        return reply(200, { status: 'flushed', pending: 0 });
      },
    }),
  ];
}

const unfinishedJobs = (count: number) =>
  unavailable(`Ingest jobs not finished within the time limit: ${count}; send the request again later.`, 5);

async function filterVisible(ids: string[], { model, visible }: OwnedScenarios): Promise<Set<string>> {
  if (!visible.createdBy) return new Set(ids);
  const found = await model.find({ _id: { $in: ids }, ...visible }, { _id: 1 }).lean();
  return new Set(found.map(({ _id }) => _id));
}
