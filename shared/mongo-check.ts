import type { Connection } from 'mongoose';
import { StartError } from './process/start-error.ts';

const oldestVersion = 7;

/**
 * Other engines pass by the version of MongoDB that they say they are.
 * @param address for messages
 * @throws StartError if the service does not support the version of the server.
 */
export async function checkMongo({ db }: Connection, address: string): Promise<void> {
  const version = String((await db?.admin().buildInfo())?.['version']);
  if (Number.parseInt(version, 10) >= oldestVersion) return;
  throw new StartError(`MONGODB_URL: ${address} is MongoDB ${version}; use version ${oldestVersion} or later.`);
}
