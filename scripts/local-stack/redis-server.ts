import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRedis } from '../../shared/connections/redis.ts';
import { StartError } from '../../shared/errors.ts';
import { findRedisServer } from '../ensure-installed.mjs';
import type { Program } from './child-process.ts';
import { findFreePort } from './free-port.ts';

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
 * @returns the command line; a redis-server that is not installed is unpacked in `dataDirectory`.
 * @throws StartError if redis-server is not installed.
 */
export async function prepareRedis(
  { url, directory }: { url: string; directory: string },
  dataDirectory: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Program> {
  const binary = findRedisServer(dataDirectory);
  if (binary === undefined) {
    throw new StartError(
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
  };
  const lines = Object.entries(options).map(([name, value]) => `${name} ${JSON.stringify(value)}\n`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'redis.conf');
  await writeFile(file, lines.join(''), { mode: 0o600 });
  return { command: binary.command, args: [file], environment: { ...environment, ...binary.environment } };
}

/** Waits until Redis has loaded its data. @throws the reason of the signal. */
export async function waitForRedis(url: string, signal: AbortSignal): Promise<void> {
  const redis = createRedis(url, { retryStrategy: () => 20 });
  redis.on('error', () => {});
  const ready = new Promise((resolve) => redis.once('ready', resolve));
  if (!signal.aborted) await Promise.race([ready, once(signal, 'abort')]);
  redis.disconnect();
  signal.throwIfAborted();
}
