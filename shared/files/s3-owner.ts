import { StartError } from '../process/start-error.ts';
import { type S3Client, S3Error } from './s3-client.ts';

/** @throws StartError for a prefix of another installation. */
export interface PrefixOwner {
  /** Only reads the owner; a prefix without one passes. */
  check: () => Promise<void>;
  /** Makes this installation the owner of a prefix without one. */
  claim: () => Promise<void>;
}

/**
 * Checks that this installation owns a prefix: a file that one database does not name is removed by
 * its purge, so two databases must not share a prefix. An object below the prefix has the id of its
 * owner.
 * @param folder the beginning of the keys; ends with `/` or is empty.
 */
export function createPrefixOwner(
  client: S3Client,
  { bucket, folder }: { bucket: string; folder: string },
  id: string,
): PrefixOwner {
  const key = `${folder}owner`;
  const expectOwn = (owner: string | null) => {
    if (owner === null || owner === id) return;
    throw new StartError(
      `REPORT_STORE: s3://${bucket}/${folder} belongs to the installation ${owner}, not to that of this database (${id}); use another prefix, or delete the object ${key} if nothing else uses this one.`,
    );
  };
  return {
    check: async () => expectOwn(await readOwner(client, key)),
    claim: async () => expectOwn((await readOwner(client, key)) ?? (await writeOwner(client, key, id))),
  };
}

/**
 * @returns null for a prefix without an owner, and for an empty object: some stores show one while
 * it is being written.
 */
async function readOwner(client: S3Client, key: string): Promise<string | null> {
  try {
    const { body } = await client('GET', key);
    return body.toString().trim() || null;
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey') return null;
    throw error;
  }
}

/**
 * A store that supports the condition accepts the first of concurrent claims. Another one has the
 * last claim, so the first of two can pass this check; it fails the next one.
 * @returns the owner.
 */
async function writeOwner(client: S3Client, key: string, id: string): Promise<string> {
  try {
    await client('PUT', key, { body: id, headers: { 'If-None-Match': '*' } });
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    if (withoutConditions.has(error.status)) await client('PUT', key, { body: id });
    else if (!lostClaims.has(error.status)) throw error;
  }
  const owner = await readOwner(client, key);
  // The owner has just been deleted, or another claim is being written.
  if (owner === null) throw new Error(`The object ${key} is empty; delete it if it stays so.`);
  return owner;
}

/** The responses of stores that do not know the header. */
const withoutConditions = new Set([400, 501]);
/** The object exists, or another process is writing it. */
const lostClaims = new Set([409, 412]);
