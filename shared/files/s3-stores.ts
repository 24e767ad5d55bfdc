import type { S3Target } from '../config/report-store.ts';
import type { MongoRole } from '../connections/mongo.ts';
import { minute, second } from '../durations.ts';
import { unavailable } from '../errors.ts';
import { errorFields, type Log } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import type { FileStore, FileStores } from './file-store.ts';
import { createS3Client, S3Error } from './s3-client.ts';
import { createPrefixOwner } from './s3-owner.ts';
import { createS3Store, storeError } from './s3-store.ts';

/**
 * Checks the bucket and the owner of the prefix: a wrong configuration prevents the start, an
 * unreachable store does not.
 * @param claims whether a prefix without an owner gets this one.
 * @throws StartError
 */
export async function openS3Stores(
  target: S3Target,
  options: { timeoutMs: number; role: MongoRole; log: Log; installationId: string; claims: boolean },
): Promise<FileStores> {
  const { bucket, folder } = target;
  const { timeoutMs, role, log, installationId, claims } = options;
  // A request gets its response in time even if the first attempt fails.
  const client = await createS3Client(target, role === 'request' ? timeoutMs * 0.4 : minute);
  const owner = createPrefixOwner(client, target, installationId);
  const ensureOwner = claims ? owner.claim : owner.check;
  try {
    await ensureOwner();
    // Needs a right of its own, which the purge has to have.
    await client('GET', '', { query: { 'list-type': '2', prefix: folder, 'max-keys': '1' } });
  } catch (error) {
    if (error instanceof StartError) throw error;
    const problem = error instanceof S3Error ? findConfigurationError(error, target) : undefined;
    if (problem !== undefined) throw new StartError(`REPORT_STORE: ${problem}.`);
    log.warn('the store of files does not respond', { bucket, ...errorFields(error) });
  }
  const withLog = logForeignOwner(log);
  const open = (kind: string) => requireOwner(createS3Store(client, `${folder}${kind}/`), withLog(ensureOwner));
  return {
    name: `s3://${bucket}/${folder}`,
    reports: open('reports'),
    overflow: open('overflow'),
    check: shareChecks(withLog(owner.check)),
  };
}

/**
 * Checks the owner before the first file is written, because the store can have been unreachable at
 * the start, and before each listing, because what no database names is removed.
 */
function requireOwner(store: FileStore, ensureOwner: () => Promise<void>): FileStore {
  const check = () =>
    ensureOwner().catch((error: unknown) => {
      throw error instanceof StartError ? unavailable(foreignOwner, 5, error) : storeError(error);
    });
  let isOwned = false;
  return {
    ...store,
    put: async (...file) => {
      if (!isOwned) await check();
      isOwned = true;
      await store.put(...file);
    },
    listIds: async function* () {
      await check();
      yield* store.listIds();
    },
  };
}

const foreignOwner = 'The store of files belongs to another installation; the log of the service says what to do.';

/** The owner can have changed since the start, or was unknown then. One line says so. */
function logForeignOwner(log: Log): (check: () => Promise<void>) => () => Promise<void> {
  let isLogged = false;
  return (check) => () =>
    check().catch((error: unknown) => {
      if (error instanceof StartError && !isLogged) {
        isLogged = true;
        log.error(error.message);
      }
      throw error;
    });
}

const checkInterval = 5 * second;

/** Calls within an interval share a check, because anybody can call for one (`/health/ready`). */
function shareChecks(check: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> | undefined;
  let checkedAt = 0;
  return () => {
    const now = performance.now();
    if (last && now - checkedAt < checkInterval) return last;
    checkedAt = now;
    last = check();
    return last;
  };
}

/** @returns the error of the configuration; undefined if the store is only unavailable. */
function findConfigurationError({ status, code }: S3Error, { bucket, region }: S3Target): string | undefined {
  if (status === 404) return `the bucket ${bucket} does not exist; create it or correct the variable`;
  if (status === 401 || status === 403) {
    return `the store refuses access to the bucket ${bucket} (${code}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their rights to list, read, write and delete`;
  }
  if (status < 300 || (status >= 400 && status !== 400)) return undefined;
  return `the store refuses the request for the bucket ${bucket} (${code}); check AWS_REGION, which is ${region}, and AWS_ENDPOINT_URL_S3`;
}
