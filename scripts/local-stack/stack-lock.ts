import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import { StackError } from './stack-error.ts';

/**
 * Maximum length of the path of a local socket in bytes, below the limits of all systems (macOS:
 * 103).
 */
const maxSocketPath = 96;
/** Age of the file of a turn after which its owner counts as killed. */
const maxTurnTime = 5 * second;

/** An exclusive lock of a data folder. It ends when it is released, or when the process ends. */
interface StackLock {
  release(): Promise<void>;
}

/**
 * Locks a data folder. The lock is a listening local socket. A socket closes when its process ends
 * or is killed. A file with a process id would remain, and process ids can be reused.
 * @throws StackError if another stack uses the folder. The message names its process and address.
 */
export async function lockDataDirectory(dataDirectory: string, address: string): Promise<StackLock> {
  const path = lockPath(dataDirectory);
  return takeTurn(`${path}.turn`, async () => {
    const owner = await readOwner(path);
    if (owner !== undefined) throw alreadyRunning(dataDirectory, owner);
    // The socket belongs to a killed stack. No other start can replace the socket during this turn.
    await rm(path, { force: true });
    const server = await listen(path, `${process.pid} ${address}`);
    return { release: () => close(server) };
  });
}

/**
 * Serializes concurrent starts by an exclusively created file. Otherwise another start could
 * replace an old socket between the check and the replacement. A turn takes milliseconds, so an
 * older file was left by a killed start.
 */
async function takeTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      await (await open(path, 'wx')).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const since = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - since > maxTurnTime) await rm(path, { force: true });
    else await delay(10);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

function alreadyRunning(dataDirectory: string, response: string): StackError {
  const [pid, address] = response.split(' ');
  return new StackError(
    `A stack is already running on the data folder ${dataDirectory} (process ${pid}, ${address}): stop it, or set DATA_DIR and PORT to run a second stack.`,
  );
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

/**
 * Reads the text that the owner of the socket sends; undefined if no process listens on the socket.
 */
async function readOwner(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(path);
    socket.setEncoding('utf8');
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

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}
