import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { withRedis } from '../../../shared/connections/redis.ts';
import { unavailable } from '../../../shared/errors.ts';
import type { IngestEntriesPayload } from '../../../shared/queues/ingest-entries.queue.ts';
import type { RouteDeps } from '../../app-deps.ts';
import { tooManyWaiting } from '../../request/waiting-requests.ts';
import { openAccess } from '../../routing/access.ts';
import { json, reply } from '../../routing/answer.ts';
import { defineRoute, type Route } from '../../routing/route.ts';
import { ingestTag } from '../ingest/ingest.routes.ts';
import { flushHeaders } from '../ingest/ingest.schemas.ts';
import { findScenario } from '../scenarios/scenario-store.ts';

const pollMs = 25;
const unfinishedStates = ['waiting', 'active', 'delayed', 'prioritized'] as const;

const flushed = Type.Object({ status: Type.Literal('flushed'), pending: Type.Literal(0) }, { $id: 'Flushed' });

/**
 * `POST /flush`: waits until all entries accepted before the request are processed, then answers. With `X-Scenario-ID`,
 * it waits for the entries of that scenario only.
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
      answers: { 200: json(flushed) },
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        SERVICE_UNAVAILABLE:
          'The queue is unreachable, entries are not processed within the time limit, or too many requests of the caller are waiting.',
      },
      handle: async ({ headers, caller }, { models, queues, config, waitingRequests }) => {
        const scenarioId = headers['X-Scenario-ID'];
        if (scenarioId !== undefined) await findScenario(models, scenarioId);
        const endWait = waitingRequests.enter(caller);
        if (!endWait) throw tooManyWaiting();
        try {
          await waitUntilProcessed(queues['ingest-entries'].queue, scenarioId, config.flushWaitMs);
        } finally {
          endWait();
        }
        return reply(200, { status: 'flushed', pending: 0 });
      },
    }),
  ];
}

type IngestQueue = RouteDeps['queues']['ingest-entries']['queue'];

/** @throws AppError SERVICE_UNAVAILABLE if a job is unfinished at the end of the time limit. */
async function waitUntilProcessed(queue: IngestQueue, scenarioId: string | undefined, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  let unfinishedIds = await findUnfinishedJobIds(queue, scenarioId);
  while (unfinishedIds.length > 0) {
    if (Date.now() >= deadline)
      throw unavailable(
        `Ingest jobs not finished within the time limit: ${unfinishedIds.length}; send the request again later.`,
        5,
      );
    await delay(pollMs);
    const remaining = new Set(await withRedis(() => queue.getRanges([...unfinishedStates], 0, -1)));
    unfinishedIds = unfinishedIds.filter((id) => remaining.has(id));
  }
}

/** Finds the unfinished jobs of one scenario, or of all scenarios. */
async function findUnfinishedJobIds(queue: IngestQueue, scenarioId: string | undefined): Promise<string[]> {
  const jobs = await withRedis(() => queue.getJobs([...unfinishedStates]));
  return jobs
    .filter((job) => job && (scenarioId === undefined || (job.data as IngestEntriesPayload).scenarioId === scenarioId))
    .map((job) => job.id ?? '');
}
