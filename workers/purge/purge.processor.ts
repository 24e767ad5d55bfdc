import { mongo } from 'mongoose';
import { type PurgeResult, purgeQueue } from '../../shared/purge/purge.queue.ts';
import { defineProcessor } from '../jobs/define-processor.ts';
import { type PurgeDeps, purge } from './purge.ts';
import { removeFiles } from './report-purge.ts';

/** Removes what is past its end, or the files of deleted reports. */
export const purgeProcessor = defineProcessor(
  purgeQueue,
  async ({ fileIds }, deps: PurgeDeps, { reportProgress }): Promise<PurgeResult> => {
    if (!fileIds) return { removed: await purge(deps, reportProgress) };
    const ids = fileIds.map((id) => new mongo.ObjectId(id));
    return { removed: { files: await removeFiles(deps, ids) } };
  },
);
