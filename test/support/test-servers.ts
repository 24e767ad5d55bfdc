import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirectory } from '../../scripts/ensure-installed.mjs';
import { startRedis } from '../../scripts/local-stack/redis-server.ts';
import { documentStoreProgram } from '../../scripts/local-stack/services.ts';
import { spawnChild, unrefChild, waitForClose } from '../../scripts/local-stack/spawn-child.ts';
import type { Watchdog } from '../../scripts/local-stack/watchdog.ts';
import { deleteKeys } from './redis-keys.ts';
import { dropDatabases } from './test-database.ts';

/** What the tests of one process work on: databases and keys whose names begin with `prefix` belong to them. */
export interface TestServers {
  mongodbUrl: string;
  redisUrl: string;
  prefix: string;
}

/** The servers of the run, as `startTestServers` has handed them to this process or to the one that started it. */
export function testServers(): TestServers {
  const { TEST_MONGODB_URL, TEST_REDIS_URL, TEST_PREFIX } = process.env;
  if (!TEST_MONGODB_URL || !TEST_REDIS_URL || !TEST_PREFIX) {
    throw new Error('This run has no servers: a test that needs Redis or MongoDB is not run by `npm run check`.');
  }
  return { mongodbUrl: TEST_MONGODB_URL, redisUrl: TEST_REDIS_URL, prefix: `${TEST_PREFIX}_${process.pid}` };
}

/**
 * Opens the servers of a run: those of MONGODB_URL and REDIS_URL, else a redis-server and a document store of its own.
 * Processes started from now on find them with `testServers`.
 * @returns what closes them, and removes everything that the run has written to them.
 */
export async function startTestServers(watchdog: Watchdog): Promise<() => Promise<void>> {
  const prefix = `meterbook_test_${process.pid}_${Date.now().toString(36)}`;
  const [redis, mongo] = await Promise.all([openRedis(prefix, watchdog), openMongo(prefix, watchdog)]);
  Object.assign(process.env, { TEST_MONGODB_URL: mongo.url, TEST_REDIS_URL: redis.url, TEST_PREFIX: prefix });
  return async () => {
    await Promise.all([redis.close(), mongo.close()]);
  };
}

interface Server {
  url: string;
  close: () => Promise<void>;
}

async function openRedis(prefix: string, watchdog: Watchdog): Promise<Server> {
  const url = process.env.REDIS_URL;
  if (url) return { url, close: () => deleteKeys(url, prefix) };
  const directory = await temporaryFolder('redis', watchdog);
  return startRedis(directory, dataDirectory(), watchdog);
}

async function openMongo(prefix: string, watchdog: Watchdog): Promise<Server> {
  const url = process.env.MONGODB_URL;
  if (url) return { url, close: () => dropDatabases(url, prefix) };
  const directory = await temporaryFolder('documents', watchdog);
  const program = documentStoreProgram({ port: 0, directory }, process.env);
  const child = spawnChild({ ...program, channel: true }, watchdog);
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  // Read and dropped: a full pipe would stop the store.
  child.stdout?.resume();
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The document store stopped at start: ${complaint.trim()}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ listening: number }];
  ended.catch(() => {});
  // None of it keeps the test run alive.
  unrefChild(child);
  return {
    url: `mongodb://127.0.0.1:${message.listening}`,
    close: async () => {
      child.ref();
      child.kill('SIGTERM');
      await waitForClose(child);
    },
  };
}

async function temporaryFolder(kind: string, watchdog: Watchdog): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `meterbook-test-${kind}-`));
  watchdog.removeAtEnd(folder);
  return folder;
}
