import type { S3Target } from '../config/report-store.ts';
import type { MongoRole } from '../connections/mongo.ts';
import { minute, second } from '../durations.ts';
import { errorFields, type Log } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import type { FileStores } from './file-store.ts';
import { createS3Client, S3Error } from './s3-client.ts';
import { createS3Store } from './s3-store.ts';

/**
 * Checks the bucket once: a wrong configuration prevents the start, an unreachable store does not.
 * @throws StartError
 */
export async function openS3Stores(
  target: S3Target,
  { timeoutMs, role, log }: { timeoutMs: number; role: MongoRole; log: Log },
): Promise<FileStores> {
  const { bucket, folder } = target;
  // A request gets its response in time even if the first attempt fails.
  const client = await createS3Client(target, role === 'request' ? timeoutMs * 0.4 : minute);
  const check = async () => {
    await client('GET', '', { query: { 'list-type': '2', prefix: folder, 'max-keys': '1' } });
  };
  try {
    await check();
  } catch (error) {
    const problem = error instanceof S3Error ? findConfigurationError(error, target) : undefined;
    if (problem !== undefined) throw new StartError(`REPORT_STORE: ${problem}.`);
    log.warn('the store of files does not respond', { bucket, ...errorFields(error) });
  }
  return {
    name: `s3://${bucket}/${folder}`,
    reports: createS3Store(client, `${folder}reports/`),
    overflow: createS3Store(client, `${folder}overflow/`),
    check: shareChecks(check),
  };
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
