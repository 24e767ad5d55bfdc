import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRedis } from '../../shared/connections/redis.ts';
import { findRedisServer } from '../ensure-installed.mjs';
import { findFreePort } from './free-port.ts';
import { type Program, spawnChild, unrefChild, waitForClose } from './spawn-child.ts';
import { StackError } from './stack-error.ts';
import type { Watchdog } from './watchdog.ts';

const pollIntervalMs = 20;

/** A redis-server on loopback: its URL with the password, and its data folder. */
interface RedisServer {
  url: string;
  directory: string;
}

/**
 * A URL for a new redis-server: a free port, and a random password against other users of this
 * machine.
 */
export async function createRedisUrl(): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  return `redis://:${password}@127.0.0.1:${await findFreePort()}`;
}

/**
 * Writes the configuration of a redis-server into its folder. The command line would show the
 * password to other users.
 * @returns the command line of the installed redis-server, or of the one that was unpacked under
 * `dataDirectory`.
 * @throws StackError if redis-server is not installed.
 */
export async function prepareRedis(
  { url, directory }: RedisServer,
  dataDirectory: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Program> {
  const binary = findRedisServer(dataDirectory);
  if (binary === undefined) {
    throw new StackError(
      'redis-server is not installed: run `npm start`, which installs it, or set REDIS_URL to a running Redis.',
    );
  }
  const { port, password } = new URL(url);
  const options = {
    bind: '127.0.0.1',
    port,
    requirepass: password,
    dir: directory,
    appendonly: 'yes',
    appendfsync: 'everysec',
    // Redis must not evict jobs when its memory is full.
    'maxmemory-policy': 'noeviction',
    // Delayed and retried jobs start within 10 ms, not within 100 ms.
    hz: '100',
    // Snapshots are off, because the append-only file is the durable copy.
    save: '',
    daemonize: 'no',
  };
  const lines = Object.entries(options).map(([name, value]) => `${name} ${JSON.stringify(value)}\n`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'redis.conf');
  await writeFile(file, lines.join(''), { mode: 0o600 });
  return { command: binary.command, args: [file], environment: { ...environment, ...binary.environment } };
}

/** Waits until Redis has loaded its data. @throws the reason of the signal. */
export async function waitForRedis(url: string, signal: AbortSignal): Promise<void> {
  while ((await findRedisError(url)) !== undefined) await delay(pollIntervalMs, undefined, { signal });
}

/** Sends PING. @returns the error message, or undefined if Redis responds. */
export async function findRedisError(url: string): Promise<string | undefined> {
  const redis = createRedis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    connectTimeout: 5_000,
    enableReadyCheck: false,
  });
  let connectionError: string | undefined;
  redis.on('error', (error: Error) => {
    connectionError = error.message;
  });
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch (error) {
    return connectionError ?? (error as Error).message;
  } finally {
    // For other connections, ioredis would keep the process alive for two seconds.
    if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect();
  }
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
  child.once('error', (error) => exited.abort(error));
  child.once('exit', () => exited.abort(new Error(`redis-server stopped at start: ${output.trim()}`)));
  await waitForRedis(url, AbortSignal.any([exited.signal, AbortSignal.timeout(30_000)])).catch((error: unknown) => {
    throw exited.signal.aborted ? exited.signal.reason : error;
  });
}

/** A redis-server for tests. */
export interface RunningRedis {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a redis-server on a free port and waits until it responds. It does not keep this process
 * alive, and the watchdog stops it when this process ends.
 */
export async function startRedis(directory: string, dataDirectory: string, watchdog: Watchdog): Promise<RunningRedis> {
  const url = await createRedisUrl();
  const child = spawnChild(await prepareRedis({ url, directory }, dataDirectory), watchdog);
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
