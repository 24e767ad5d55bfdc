import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findRedisServer } from '../ensure-installed.mjs';
import { findFreePort } from './free-port.ts';
import { type Program, spawnChild, unrefChild, untilClosed } from './spawn-child.ts';
import { StackError } from './stack-error.ts';
import type { Watchdog } from './watchdog.ts';

const pollEvery = 20;

/** Where a redis-server listens (loopback only) and keeps its files. */
export interface RedisPlace {
  port: number;
  directory: string;
}

/**
 * The command line of the redis-server of this machine, or of the one unpacked under `dataDirectory`.
 * @throws StackError when there is none.
 */
export function redisProgram(
  { port, directory }: RedisPlace,
  dataDirectory: string,
  environment: NodeJS.ProcessEnv = process.env,
): Program {
  const binary = findRedisServer(dataDirectory);
  if (binary === undefined) {
    throw new StackError(
      'redis-server is not on this machine: `npm start` installs it, or set REDIS_URL to a Redis that runs.',
    );
  }
  const options = {
    bind: '127.0.0.1',
    port: String(port),
    dir: directory,
    appendonly: 'yes',
    appendfsync: 'everysec',
    // The queue must never lose a job to make room.
    'maxmemory-policy': 'noeviction',
    // Delayed and retried jobs are noticed within 10 ms instead of 100.
    hz: '100',
    // The append-only file is the durable copy; snapshots beside it would be written for nothing.
    save: '',
    daemonize: 'no',
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return { command: binary.command, args, environment: { ...environment, ...binary.environment } };
}

/** Waits until a Redis answers PING, also while it still loads its data. Ends with the signal's reason. */
export async function untilRedisAnswers(url: string, signal: AbortSignal): Promise<void> {
  while (!(await redisAnswers(url))) await delay(pollEvery, undefined, { signal });
}

async function redisAnswers(url: string): Promise<boolean> {
  return (await redisFault(url)) === undefined;
}

/** Why a Redis can not be used now, or undefined when it answers PING. */
export async function redisFault(url: string): Promise<string | undefined> {
  const redis = briefConnection(url);
  let fault: string | undefined;
  redis.on('error', (error: Error) => {
    fault = error.message;
  });
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch (error) {
    return fault ?? (error as Error).message;
  } finally {
    hangUp(redis);
  }
}

/** A connection that is tried once, for a few commands. */
function briefConnection(url: string): Redis {
  return new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 5_000,
    enableReadyCheck: false,
  });
}

/** ioredis holds the process for two seconds when it is told to close what never opened. */
function hangUp(redis: Redis): void {
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect();
}

/**
 * Stops a redis-server that a killed stack has left behind on this directory: two on the same files would spoil them.
 * `port` is where it used to listen; any other server that may listen there now is left alone.
 */
export async function stopLeftoverRedis({ port, directory }: RedisPlace): Promise<void> {
  const url = `redis://127.0.0.1:${port}`;
  if (!(await redisAnswers(url))) return;
  const redis = briefConnection(url);
  redis.on('error', () => {});
  try {
    await redis.connect();
    const [, itsDirectory] = await redis.config('GET', 'dir');
    if (itsDirectory !== (await realpath(directory))) return;
    // A server that goes down answers by closing the connection.
    await redis.shutdown('NOSAVE').catch(() => {});
  } finally {
    hangUp(redis);
  }
  const limit = AbortSignal.timeout(10_000);
  while (await redisAnswers(url)) await delay(pollEvery, undefined, { signal: limit });
}

/** A redis-server of its own, for the tests and the measurements. */
export interface RunningRedis {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a redis-server on a free port of loopback and waits until it answers. It does not keep the present process
 * alive, and the watchdog ends it when that process ends.
 */
export async function startRedis(directory: string, dataDirectory: string, watchdog: Watchdog): Promise<RunningRedis> {
  await mkdir(directory, { recursive: true });
  const port = await findFreePort();
  const child = spawnChild(redisProgram({ port, directory }, dataDirectory), watchdog);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2_000);
    });
  }
  const ended = new AbortController();
  child.once('error', (error) => ended.abort(error));
  child.once('exit', () => ended.abort(new Error(`redis-server stopped at start: ${output.trim()}`)));
  const url = `redis://127.0.0.1:${port}`;
  await untilRedisAnswers(url, AbortSignal.any([ended.signal, AbortSignal.timeout(30_000)])).catch((error: unknown) => {
    throw ended.signal.aborted ? ended.signal.reason : error;
  });
  unrefChild(child);
  return {
    url,
    close: async () => {
      child.ref();
      child.kill('SIGTERM');
      await untilClosed(child);
    },
  };
}
