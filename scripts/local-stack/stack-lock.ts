import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackError } from './stack-error.ts';

/** Maximum length of the path of a local socket, below the limits of all systems (macOS: 103). */
const maxSocketPath = 96;

/**
 * Locks a data folder. The lock is a listening local socket, which closes when its process ends or
 * is killed. A file with a process id would remain, and process ids can be reused.
 * @returns a function that releases the lock.
 * @throws StackError if another stack uses the folder. The message names its process and address.
 */
export async function lockDataDirectory(dataDirectory: string, address: string): Promise<() => Promise<void>> {
  const path = lockPath(dataDirectory);
  const owner = await readOwner(path);
  if (owner !== undefined) {
    const [pid, url] = owner.split(' ');
    throw new StackError(
      `A stack is already running on the data folder ${dataDirectory} (process ${pid}, ${url}): stop it, or set DATA_DIR and PORT to run a second stack.`,
    );
  }
  // The socket belongs to a killed stack.
  await rm(path, { force: true });
  const server = await listen(path, `${process.pid} ${address}`);
  return () => new Promise((resolve) => void server.close(() => resolve()));
}

function lockPath(dataDirectory: string): string {
  const folder = realpathSync(dataDirectory);
  const path = join(folder, 'stack.sock');
  if (Buffer.byteLength(path) <= maxSocketPath) return path;
  return join(tmpdir(), `meterbook-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`);
}

async function listen(path: string, owner: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(owner);
    });
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Reads the text that the owner of the socket sends; undefined if no process listens on it. */
async function readOwner(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(path).setEncoding('utf8');
    socket.on('data', (text: string) => {
      response += text;
    });
    socket.once('end', () => resolve(response));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
  });
}
