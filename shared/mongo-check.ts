import type { Connection } from 'mongoose';
import { StartError } from './process/start-error.ts';

const oldestVersion = 7;

/**
 * Other engines pass by the version of MongoDB that they report, or if they report none.
 * @param address for messages
 * @throws StartError if the service does not support the version of the server.
 */
export async function checkMongo({ db }: Connection, address: string): Promise<void> {
  const version = String((await db?.admin().buildInfo())?.['version']);
  if (!(Number.parseInt(version, 10) < oldestVersion)) return;
  throw new StartError(
    `MONGODB_URL: ${address} reports version ${version} of MongoDB; use version ${oldestVersion} or later.`,
  );
}
