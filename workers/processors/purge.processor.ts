import { mongo } from 'mongoose';
import { type PurgeResult, purgeQueue } from '../../shared/queues/purge.queue.ts';
import { defineProcessor } from '../define-processor.ts';
import { type PurgeDeps, purge } from '../purge/purge.ts';
import { removeFiles } from '../purge/report-purge.ts';

/** Removes what is past its end, or the files of deleted reports. */
export const purgeProcessor = defineProcessor(
  purgeQueue,
  async ({ fileIds }, deps: PurgeDeps, { reportProgress }): Promise<PurgeResult> => {
    if (!fileIds) return { removed: await purge(deps, reportProgress) };
    const ids = fileIds.map((id) => new mongo.ObjectId(id));
    return { removed: { files: await removeFiles(deps, ids) } };
  },
);
