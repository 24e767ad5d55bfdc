import { randomUUID } from 'node:crypto';
import { hour } from '../../shared/durations.ts';
import { type PurgeResult, purgeQueue } from '../../shared/purge/purge.queue.ts';
import { defineProcessor, type SweepDeps } from '../jobs/define-processor.ts';
import { purge } from './purge.ts';

/** Removes what is past its end. */
export const purgeProcessor = defineProcessor(
  purgeQueue,
  async (_payload, deps, { reportProgress }): Promise<PurgeResult> => ({
    removed: await purge(deps, { onStep: reportProgress }),
  }),
  { sweep: ensurePurges },
);

/** Schedules a purge every hour, in one of all workers. Redis stores the schedule. */
export async function ensurePurges({ queues }: Pick<SweepDeps, 'queues'>): Promise<void> {
  if (await queues.purge.isRepeated('purge')) return;
  await queues.purge.repeat('purge', { every: hour }, { requestId: randomUUID() });
}
