import type { Connection, Model } from 'mongoose';
import type { Config } from '../config/config.ts';
import type { MongoRole } from '../connections/mongo.ts';
import type { Log } from '../process/log.ts';
import type { FileStores } from './file-store.ts';
import { createGridfsStore } from './gridfs-store.ts';
import type { Installation } from './installation.model.ts';
import { readInstallationId } from './installation-id.ts';
import { openS3Stores } from './s3-stores.ts';

/**
 * @param role how long an operation waits for a store that does not respond.
 * @param claims whether a prefix of a bucket that has no owner gets this one.
 * @throws StartError if the bucket does not exist, refuses the credentials, or has another owner at
 * this prefix.
 */
export async function openFileStores(
  { files, mongodbTimeoutMs: timeoutMs }: Pick<Config, 'files' | 'mongodbTimeoutMs'>,
  options: { mongo: Connection; installation: Model<Installation>; role: MongoRole; log: Log; claims: boolean },
): Promise<FileStores> {
  const { mongo, installation, role, log, claims } = options;
  if (files.kind === 's3') {
    const installationId = await readInstallationId(installation);
    return openS3Stores(files, { timeoutMs, role, log, installationId, claims });
  }
  return {
    name: 'gridfs',
    reports: createGridfsStore(mongo, 'report_files'),
    overflow: createGridfsStore(mongo, 'overflow_files'),
    check: async () => {
      await mongo.db?.command({ ping: 1 });
    },
  };
}
