import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { StartError } from '../../shared/errors.ts';
import { isListening } from './free-port.ts';

/**
 * Locks a data folder until this process ends. The lock is a listening local socket, which closes
 * with its process. A file with a process id would remain, and process ids can be reused.
 * @returns a function that releases the lock.
 * @throws StartError if another stack uses the folder.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<() => void> {
  const path = join(dataDirectory, 'stack.sock');
  if (await isListening({ path })) {
    throw new StartError(
      `A stack is already running on the data folder ${dataDirectory}: stop it, or set DATA_DIR and PORT to run a second stack.`,
    );
  }
  // The socket belongs to a killed stack.
  await rm(path, { force: true });
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  server.unref();
  return () => server.close();
}
