import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { dataDirectory, findRedisServer } from '../../scripts/ensure-installed.mjs';
import { type Program, runAtEnd, spawnChild } from '../../scripts/local-stack/child-process.ts';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { createRedisUrl, prepareRedis, waitForRedis } from '../../scripts/local-stack/redis-server.ts';

export interface RunningRedis {
  url: string;
  close(signal?: NodeJS.Signals): Promise<void>;
}

/** A redis-server that becomes a replica, or full, without harm to other tests. */
export interface OwnRedis extends RunningRedis {
  readonly admin: Redis;
  makeReplica(): Promise<unknown>;
  makeMaster(): Promise<unknown>;
}

/** Creates a folder that is removed when this process has ended. */
export async function createOwnFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-test-'));
  runAtEnd('rm -rf "$1"', folder);
  return folder;
}

/** Starts a redis-server on a free port. */
export async function startRedis(folder?: string): Promise<RunningRedis> {
  const url = await createRedisUrl();
  return runRedis(url, await prepareRedis({ url, directory: folder ?? (await createOwnFolder()) }, dataDirectory()));
}

/** Starts a redis-server with these lines. */
export async function startRedisNode(
  url: string,
  lines: readonly string[],
  flags: readonly string[] = [],
): Promise<RunningRedis> {
  const binary = findRedisServer(dataDirectory());
  if (!binary) throw new Error('redis-server is not installed.');
  const folder = await createOwnFolder();
  const file = join(folder, 'server.conf');
  await writeFile(file, ['bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'));
  const environment = { ...process.env, ...binary.environment };
  return runRedis(url, { command: binary.command, args: [file, ...flags], environment });
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

export async function startOwnRedis(): Promise<OwnRedis> {
  const server = await startRedis();
  const admin = new Redis(server.url);
  return {
    url: server.url,
    admin,
    // No server listens there. The replica keeps its data.
    makeReplica: async () => admin.replicaof('127.0.0.1', await findFreePort()),
    makeMaster: () => admin.replicaof('NO', 'ONE'),
    close: async () => {
      admin.disconnect();
      await server.close();
    },
  };
}

/**
 * Starts a server and waits until it responds. It does not keep this process alive, and ends with
 * it. @throws Error with its output if it ends before.
 */
async function runRedis(url: string, program: Program): Promise<RunningRedis> {
  const child = spawnChild(program);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2_000);
    });
  }
  const exited = new AbortController();
  child.once('exit', () => exited.abort(new Error(`redis-server stopped at start: ${output.trim()}`)));
  await waitForRedis(url, AbortSignal.any([exited.signal, AbortSignal.timeout(30_000)])).catch((error: unknown) => {
    throw exited.signal.aborted ? exited.signal.reason : error;
  });
  unrefChild(child);
  return { url, close: (signal) => endChild(child, signal) };
}

/** Allows this process to end before the child. */
export function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
}

/** Ends a child, and waits until its output has been read. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.kill(signal);
  await once(child, 'close');
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
