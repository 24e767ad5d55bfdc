import type { ChildProcess } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { dataDirectory } from '../../scripts/ensure-installed.mjs';
import { removeAtEnd, spawnChild, unrefChild, waitForClose } from '../../scripts/local-stack/child-process.ts';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { createRedisUrl, prepareRedis, waitForRedis } from '../../scripts/local-stack/redis-server.ts';

export interface RunningRedis {
  url: string;
  close(): Promise<void>;
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
  removeAtEnd(folder);
  return folder;
}

/**
 * Starts a redis-server on a free port and waits until it responds. It does not keep this process
 * alive, and ends with it.
 */
export async function startRedis(folder?: string): Promise<RunningRedis> {
  const url = await createRedisUrl();
  const directory = folder ?? (await createOwnFolder());
  const child = spawnChild(await prepareRedis({ url, directory }, dataDirectory()));
  await waitForStart(child, url);
  unrefChild(child);
  return {
    url,
    close: async () => {
      child.ref();
      child.kill('SIGTERM');
      await waitForClose(child);
    },
  };
}

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
 * Waits until a server that has just been started responds. @throws Error with its output if it
 * ends before.
 */
export async function waitForStart(child: ChildProcess, url: string): Promise<void> {
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
}
