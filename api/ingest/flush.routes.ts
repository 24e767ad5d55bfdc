import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { withRedis } from '../../shared/connections/redis.ts';
import { unavailable } from '../../shared/errors.ts';
import type { IngestEntriesPayload } from '../../shared/ingest/ingest-entries.queue.ts';
import type { RouteDeps } from '../app-deps.ts';
import { openAccess } from '../http/access/access-rules.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import { tooManyWaiting } from '../http/access/waiting-requests.ts';
import { json, reply } from '../http/answer.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { ingestTag } from './ingest.routes.ts';
import { flushHeaders } from './ingest.schemas.ts';

const pollMs = 25;
const unfinishedStates = ['waiting', 'active', 'delayed', 'prioritized'] as const;

const flushed = Type.Object({ status: Type.Literal('flushed'), pending: Type.Literal(0) }, { $id: 'Flushed' });

/**
 * `POST /flush`: waits until all entries accepted before the request are processed, then answers.
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
      answers: { 200: json(flushed) },
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        SERVICE_UNAVAILABLE:
          'The queue is unreachable, entries are not processed within the time limit, or too many requests of the caller are waiting.',
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

/** One scenario, or all scenarios that exist for the caller. */
interface Which {
  scenarioId: string | undefined;
  scenarios: OwnedScenarios;
}

type IngestQueue = RouteDeps['queues']['ingest-entries']['queue'];

/** @throws AppError SERVICE_UNAVAILABLE if a job is unfinished at the end of the time limit. */
async function waitUntilProcessed(queue: IngestQueue, which: Which, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  let unfinishedIds = await findUnfinishedJobIds(queue, which);
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

/** Finds the unfinished jobs of one scenario, or of all scenarios that exist for the caller. */
async function findUnfinishedJobIds(queue: IngestQueue, { scenarioId, scenarios }: Which): Promise<string[]> {
  const scenarioOf = ({ data }: { data: unknown }) => (data as IngestEntriesPayload).scenarioId;
  const jobs = (await withRedis(() => queue.getJobs([...unfinishedStates]))).filter((job) => job);
  const wanted =
    scenarioId === undefined
      ? await filterVisible([...new Set(jobs.map(scenarioOf))], scenarios)
      : new Set([scenarioId]);
  return jobs.filter((job) => wanted.has(scenarioOf(job))).map((job) => job.id ?? '');
}

async function filterVisible(ids: string[], { model, visible }: OwnedScenarios): Promise<Set<string>> {
  if (!visible.createdBy) return new Set(ids);
  const found = await model.find({ _id: { $in: ids }, ...visible }, { _id: 1 }).lean();
  return new Set(found.map(({ _id }) => _id));
}
