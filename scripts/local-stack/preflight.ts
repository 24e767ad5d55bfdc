import { mkdir } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { removeCredentials } from '../../shared/connection-url.ts';
import { second } from '../../shared/durations.ts';
import { isPortFree } from './free-port.ts';
import { redisFault } from './redis-server.ts';
import type { Settings } from './settings.ts';
import { StackError } from './stack-error.ts';

const patience = 3 * second;

/**
 * Makes the data folder.
 * @throws StackError naming DATA_DIR when that is not possible.
 */
export async function makeDataDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw new StackError(
      `The data folder ${path} can not be made (${(error as Error).message}): set DATA_DIR to a folder you may write to.`,
    );
  }
}

/** @throws StackError naming PORT or HOST when the service can not listen there. */
export async function checkPort({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<void> {
  let free: boolean;
  try {
    free = await isPortFree(port, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES')
      throw new StackError(`PORT ${port} needs more rights than you have: set PORT to a number above 1023.`);
    throw new StackError(`HOST ${host} is no address of this machine (${code}): set HOST to 127.0.0.1 or 0.0.0.0.`);
  }
  if (!free)
    throw new StackError(
      `PORT ${port} is taken by another program: set another one, for example PORT=${port + 1} npm start.`,
    );
}

/** @throws StackError naming REDIS_URL when no Redis answers there. */
export async function checkRedis(url: string): Promise<void> {
  const fault = await redisFault(url);
  if (fault === undefined) return;
  throw new StackError(
    `REDIS_URL: no Redis can be used at ${removeCredentials(url)} (${fault}): start it, or leave REDIS_URL unset for a local one.`,
  );
}

/** @throws StackError naming MONGODB_URL when no MongoDB answers there. */
export async function checkMongo(url: string, limitMs = patience): Promise<void> {
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: limitMs, connectTimeoutMS: limitMs });
    await client.db().command({ ping: 1 });
  } catch (error) {
    throw new StackError(
      `MONGODB_URL: no MongoDB can be used at ${removeCredentials(url)} (${(error as Error).message}): start it, or leave MONGODB_URL unset for the embedded store.`,
    );
  } finally {
    await client?.close();
  }
}
