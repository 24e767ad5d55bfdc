import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { dataDirectory, findRedisServer } from '../../scripts/ensure-installed.mjs';
import { spawnChild, waitForClose } from '../../scripts/local-stack/child-process.ts';
import { createOwnFolder, waitForStart } from './own-redis.ts';

/** Servers on loopback, each with a folder of its own, which are started and killed one by one. */
export interface RedisNodes {
  /**
   * Starts a server and waits until it responds. One that is started again keeps its file, which a
   * sentinel has rewritten.
   */
  start(url: string, port: number, lines: readonly string[], flags?: readonly string[]): Promise<void>;
  kill(port: number): Promise<void>;
  close(): Promise<void>;
}

/** The lines of servers whose data survives, with a password for callers and replicas. */
export const durableNode = (password: string) => [
  `requirepass ${password}`,
  `masterauth ${password}`,
  'appendonly yes',
  'save ""',
  'maxmemory-policy noeviction',
  'repl-diskless-sync-delay 0',
];

export async function createRedisNodes(): Promise<RedisNodes> {
  const directory = await createOwnFolder();
  const binary = findRedisServer(dataDirectory());
  if (!binary) throw new Error('redis-server is not installed.');
  const running = new Map<number, ReturnType<typeof spawnChild>>();
  const kill = async (port: number) => {
    const child = running.get(port);
    if (!child) throw new Error(`No server has been started on port ${port}.`);
    child.kill('SIGKILL');
    await waitForClose(child);
  };
  return {
    start: async (url, port, lines, flags = []) => {
      const folder = join(directory, String(port));
      await mkdir(folder, { recursive: true });
      const file = join(folder, 'server.conf');
      const text = ['bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n');
      await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const environment = { ...process.env, ...binary.environment };
      const child = spawnChild({ command: binary.command, args: [file, ...flags], environment });
      running.set(port, child);
      await waitForStart(child, url);
    },
    kill,
    close: async () => {
      await Promise.all([...running.keys()].map(kill));
    },
  };
}

/**
 * Sends commands over a connection of its own. @returns undefined if the server does not respond.
 */
export async function askRedis<T>(url: string, question: (redis: Redis) => Promise<T>): Promise<T | undefined> {
  const redis = new Redis<'legacy'>(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await question(redis);
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}
