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
const unfinished = ['waiting', 'active', 'delayed', 'prioritized'] as const;

const flushed = Type.Object({ status: Type.Literal('flushed'), pending: Type.Literal(0) }, { $id: 'Flushed' });

/** `POST /flush`: answers once all entries accepted before it, of one scenario or of all, are processed. */
export function flushRoutes(): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/flush',
      operationId: 'flushIngest',
      tag: ingestTag,
      summary: 'Wait until everything accepted before is processed',
      access: openAccess('ingest'),
      limit: { name: 'free' },
      headers: flushHeaders,
      answers: { 200: json(flushed) },
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        SERVICE_UNAVAILABLE: 'The queue is unreachable, or entries still wait when the time limit is reached.',
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

/** @throws AppError SERVICE_UNAVAILABLE when jobs are still unfinished after the time limit. */
async function waitUntilProcessed(queue: IngestQueue, scenarioId: string | undefined, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  let pending = await pendingJobs(queue, scenarioId);
  while (pending.length > 0) {
    if (Date.now() >= deadline)
      throw unavailable(`${pending.length} ingest jobs are still waiting to be processed.`, 5);
    await delay(pollMs);
    const left = new Set(await withRedis(() => queue.getRanges([...unfinished], 0, -1)));
    pending = pending.filter((id) => left.has(id));
  }
}

/** Ids of the unfinished jobs of a scenario, or of all. */
async function pendingJobs(queue: IngestQueue, scenarioId: string | undefined): Promise<string[]> {
  const jobs = await withRedis(() => queue.getJobs([...unfinished]));
  return jobs
    .filter((job) => job && (scenarioId === undefined || (job.data as IngestEntriesPayload).scenarioId === scenarioId))
    .map((job) => job.id ?? '');
}
