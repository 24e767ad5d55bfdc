import type { Connection } from 'mongoose';
import type { Config } from '../config/config.ts';
import type { MongoRole } from '../connections/mongo.ts';
import type { Log } from '../process/log.ts';
import type { FileStores } from './file-store.ts';
import { createGridfsStore } from './gridfs-store.ts';
import { openS3Stores } from './s3-stores.ts';

/**
 * @param role how long an operation waits for a store that does not respond.
 * @throws StartError if the bucket does not exist or refuses the credentials.
 */
export async function openFileStores(
  { files, mongodbTimeoutMs: timeoutMs }: Pick<Config, 'files' | 'mongodbTimeoutMs'>,
  { mongo, role, log }: { mongo: Connection; role: MongoRole; log: Log },
): Promise<FileStores> {
  if (files.kind === 's3') return openS3Stores(files, { timeoutMs, role, log });
  return {
    name: 'gridfs',
    reports: createGridfsStore(mongo, 'report_files'),
    overflow: createGridfsStore(mongo, 'overflow_files'),
    check: async () => {
      await mongo.db?.command({ ping: 1 });
    },
  };
}
