import { randomUUID } from 'node:crypto';
import { mongo } from 'mongoose';
import { hour } from '../../shared/durations.ts';
import { type PurgeResult, purgeQueue } from '../../shared/purge/purge.queue.ts';
import { defineProcessor, type SweepDeps } from '../jobs/define-processor.ts';
import { type PurgeDeps, purge, removeFiles } from './purge.ts';

/** Removes what is past its end, or the files of deleted reports. */
export const purgeProcessor = defineProcessor(
  purgeQueue,
  async ({ fileIds }, deps: PurgeDeps, { reportProgress }): Promise<PurgeResult> => {
    if (!fileIds) return { removed: await purge(deps, reportProgress) };
    const ids = fileIds.map((id) => new mongo.ObjectId(id));
    return { removed: { files: await removeFiles(deps, ids) } };
  },
  { sweep: ensurePurges },
);

/** Schedules a purge every hour, in one of all workers. Redis stores the schedule. */
export async function ensurePurges({ queues }: Pick<SweepDeps, 'queues'>): Promise<void> {
  if (await queues.purge.isRepeated('purge')) return;
  await queues.purge.repeat('purge', { every: hour }, { requestId: randomUUID() });
}
