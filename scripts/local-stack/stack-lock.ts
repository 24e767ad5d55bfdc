import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import { StackError } from './stack-error.ts';

/** Longest path of a local socket that every system takes (macOS: 103 bytes), with some room. */
const longestPath = 96;
const longestTurn = 5 * second;

/** The right to use a data folder: gone when it is released or when the process ends, however it ends. */
export interface StackLock {
  release(): Promise<void>;
}

/**
 * Takes the data folder for this process. The lock is a listening local socket rather than a file with a process id:
 * the system drops it when its owner is killed, and no other process can be mistaken for the owner.
 * @throws StackError when another stack runs on the folder, naming its process and address.
 */
export async function lockDataDirectory(dataDirectory: string, address: string): Promise<StackLock> {
  const path = lockPath(dataDirectory);
  return inTurn(`${path}.turn`, async () => {
    const owner = await ask(path);
    if (owner !== undefined) throw alreadyRunning(dataDirectory, owner);
    // What a killed stack has left: nobody is behind it, and nobody can come while it is this start's turn.
    await rm(path, { force: true });
    const server = await listen(path, `${process.pid} ${address}`);
    return { release: () => close(server) };
  });
}

/**
 * Lets starts that come at once pass one after the other: between finding a socket dead and binding it anew, another
 * could have done the same. A turn lasts milliseconds; one that is seconds old belonged to a start that was killed in it.
 */
async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
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
    if (Date.now() - since > longestTurn) await rm(path, { force: true });
    else await delay(10);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

function alreadyRunning(dataDirectory: string, answer: string): StackError {
  const [pid, address] = answer.split(' ');
  return new StackError(
    `A stack on the data folder ${dataDirectory} is running already (process ${pid}, ${address}): stop it, or set DATA_DIR and PORT to run a second one beside it.`,
  );
}

function lockPath(dataDirectory: string): string {
  const folder = realpathSync(dataDirectory);
  const path = join(folder, 'stack.sock');
  if (Buffer.byteLength(path) <= longestPath) return path;
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

/** What the owner of the socket answers; undefined when nobody is behind it any more. */
async function ask(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(path);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.once('end', () => resolve(answer));
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
