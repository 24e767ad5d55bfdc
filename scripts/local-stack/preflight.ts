import { mkdir } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { findMongoUrlError, removeCredentials } from '../../shared/connections/connection-urls.ts';
import { second } from '../../shared/durations.ts';
import { isPortFree } from './free-port.ts';
import { findRedisError } from './redis-server.ts';
import type { Settings } from './settings.ts';
import { StackError } from './stack-error.ts';

const mongoTimeoutMs = 3 * second;

/**
 * Creates the data folder.
 * @throws StackError that names DATA_DIR if the folder cannot be created.
 */
export async function createDataDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw new StackError(
      `The data folder ${path} cannot be created (${(error as Error).message}): set DATA_DIR to a writable folder.`,
    );
  }
}

/** @throws StackError that names PORT or HOST if the service cannot listen there. */
export async function checkPort({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<void> {
  let isFree: boolean;
  try {
    isFree = await isPortFree(port, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES')
      throw new StackError(`PORT ${port} requires more privileges: set PORT to a number above 1023.`);
    throw new StackError(`HOST ${host} is not an address of this machine (${code}): set HOST to 127.0.0.1 or 0.0.0.0.`);
  }
  if (!isFree)
    throw new StackError(
      `PORT ${port} is in use by another program: set another port, for example PORT=${port + 1} npm start.`,
    );
}

/** @throws StackError that names REDIS_URL if Redis does not respond there. */
export async function checkRedis(url: string): Promise<void> {
  const error = await findRedisError(url);
  if (error === undefined) return;
  throw new StackError(
    `REDIS_URL: cannot connect to Redis at ${removeCredentials(url)} (${error}): start it, or unset REDIS_URL to use a local one.`,
  );
}

/** @throws StackError that names MONGODB_URL if MongoDB does not respond there. */
export async function checkMongo(url: string, timeoutMs = mongoTimeoutMs): Promise<void> {
  const malformed = findMongoUrlError(url);
  if (malformed !== undefined) {
    throw new StackError(
      `MONGODB_URL: not a MongoDB connection string (${malformed}): correct it, or unset MONGODB_URL to use the embedded document store.`,
    );
  }
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: timeoutMs, connectTimeoutMS: timeoutMs });
    await client.db().command({ ping: 1 });
  } catch (error) {
    throw new StackError(
      `MONGODB_URL: cannot connect to MongoDB at ${removeCredentials(url)} (${(error as Error).message}): start it, or unset MONGODB_URL to use the embedded document store.`,
    );
  } finally {
    await client?.close();
  }
}
