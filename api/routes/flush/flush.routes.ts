import { setTimeout as delay } from 'node:timers/promises';
import Router from '@koa/router';
import { unavailable } from '../../../shared/errors.ts';
import type { IngestEntriesPayload } from '../../../shared/queues/ingest-entries.queue.ts';
import { onRedis } from '../../../shared/redis.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AppState } from '../../request/context.ts';
import { validate } from '../../validation/validate.ts';
import { optionalScenarioHeader } from '../ingest/ingest.schemas.ts';
import { findScenario } from '../scenarios/scenario-store.ts';

const pollMs = 25;
const unfinished = ['waiting', 'active', 'delayed', 'prioritized'] as const;

/** `POST /flush`: answers once all entries that were accepted before, of one scenario or of all, are processed. */
export function flushRoutes({ models, queues, config }: AppDeps): Router<AppState> {
  const router = new Router<AppState>();
  const { queue } = queues['ingest-entries'];

  router.post('/flush', async (ctx) => {
    const { 'X-Scenario-ID': scenarioId } = validate(optionalScenarioHeader, {
      'X-Scenario-ID': ctx.get('X-Scenario-ID'),
    });
    if (scenarioId !== undefined) await findScenario(models, scenarioId);
    const deadline = Date.now() + config.flushWaitMs;
    let pending = await pendingJobs(scenarioId);
    while (pending.length > 0) {
      if (Date.now() >= deadline) {
        throw unavailable(`${pending.length} ingest jobs are still waiting to be processed.`, 5);
      }
      await delay(pollMs);
      const left = new Set(await onRedis(() => queue.getRanges([...unfinished], 0, -1)));
      pending = pending.filter((id) => left.has(id));
    }
    ctx.status = 200;
    ctx.body = { status: 'flushed', pending: 0 };
  });

  return router;

  /** Ids of the jobs that are not done yet. */
  async function pendingJobs(scenarioId: string | undefined): Promise<string[]> {
    const jobs = await onRedis(() => queue.getJobs([...unfinished]));
    return jobs
      .filter(
        (job) => job && (scenarioId === undefined || (job.data as IngestEntriesPayload).scenarioId === scenarioId),
      )
      .map((job) => job.id ?? '');
  }
}
