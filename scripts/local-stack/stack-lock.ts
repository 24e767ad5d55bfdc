import { createHash, randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackError } from './stack-error.ts';

/** Longest path of a local socket that every system takes (macOS: 103 bytes), with room for a suffix. */
const longestPath = 96;

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
  const owner = `${process.pid} ${address}`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const server = await listen(path, owner);
    if (server !== undefined) return { release: () => close(server) };
    const answer = await ask(path);
    if (answer !== undefined) throw alreadyRunning(dataDirectory, answer);
    await removeLeftover(path);
  }
  throw new StackError(`The data folder ${dataDirectory} can not be locked: another start is under way, try again.`);
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

async function listen(path: string, owner: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(owner);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
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

/**
 * Takes away the socket of a killed stack. It is moved before it is removed, and asked once more: had another start
 * bound the path in the meantime, its living socket would be put back.
 */
async function removeLeftover(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(3).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await ask(aside)) === undefined) await unlink(aside);
  else await rename(aside, path);
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}
