import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { withRedis } from '../../../shared/connections/redis.ts';
import { unavailable } from '../../../shared/errors.ts';
import type { IngestEntriesPayload } from '../../../shared/queues/ingest-entries.queue.ts';
import type { RouteDeps } from '../../app-deps.ts';
import type { OwnedScenarios } from '../../request/ownership.ts';
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
      handle: async ({ headers, caller, scenarios }, { queues, config, waitingRequests }) => {
        const scenarioId = headers['X-Scenario-ID'];
        if (scenarioId !== undefined) await findScenario(scenarios, scenarioId);
        const endWait = waitingRequests.enter(caller);
        if (!endWait) throw tooManyWaiting();
        try {
          await waitUntilProcessed(queues['ingest-entries'].queue, { scenarioId, scenarios }, config.flushWaitMs);
        } finally {
          endWait();
        }
        return reply(200, { status: 'flushed', pending: 0 });
      },
    }),
  ];
}

/** One scenario, or all that exist for the caller. */
interface Which {
  scenarioId: string | undefined;
  scenarios: OwnedScenarios;
}

type IngestQueue = RouteDeps['queues']['ingest-entries']['queue'];

/** @throws AppError SERVICE_UNAVAILABLE when jobs are still unfinished after the time limit. */
async function waitUntilProcessed(queue: IngestQueue, which: Which, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  let pending = await pendingJobs(queue, which);
  while (pending.length > 0) {
    if (Date.now() >= deadline)
      throw unavailable(`${pending.length} ingest jobs are still waiting to be processed.`, 5);
    await delay(pollMs);
    const left = new Set(await withRedis(() => queue.getRanges([...unfinished], 0, -1)));
    pending = pending.filter((id) => left.has(id));
  }
}

/** Ids of the unfinished jobs. */
async function pendingJobs(queue: IngestQueue, { scenarioId, scenarios }: Which): Promise<string[]> {
  const scenarioOf = ({ data }: { data: unknown }) => (data as IngestEntriesPayload).scenarioId;
  const jobs = (await withRedis(() => queue.getJobs([...unfinished]))).filter((job) => job);
  const wanted =
    scenarioId === undefined ? await visibleOf([...new Set(jobs.map(scenarioOf))], scenarios) : new Set([scenarioId]);
  return jobs.filter((job) => wanted.has(scenarioOf(job))).map((job) => job.id ?? '');
}

async function visibleOf(ids: string[], { model, visible }: OwnedScenarios): Promise<Set<string>> {
  if (!visible.createdBy) return new Set(ids);
  const found = await model.find({ _id: { $in: ids }, ...visible }, { _id: 1 }).lean();
  return new Set(found.map(({ _id }) => _id));
}
