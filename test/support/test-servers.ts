import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { spawnChild } from '../../scripts/local-stack/child-process.ts';
import { documentStoreProgram } from '../../scripts/local-stack/services.ts';
import { createRedis } from '../../shared/connections/redis.ts';
import { createOwnFolder, endChild, startRedis, unrefChild } from './own-redis.ts';

/**
 * The servers for the tests of one process. The names of its databases and keys start with
 * `prefix`.
 */
export interface TestServers {
  mongodbUrl: string;
  redisUrl: string;
  prefix: string;
}

/**
 * The servers of the run, from the environment that `startTestServers` has set in this process or
 * its parent.
 */
export function getTestServers(): TestServers {
  const { TEST_MONGODB_URL, TEST_REDIS_URL, TEST_PREFIX } = process.env;
  if (!TEST_MONGODB_URL || !TEST_REDIS_URL || !TEST_PREFIX) {
    throw new Error('This run has no servers. `npm run check` does not run tests that need Redis or MongoDB.');
  }
  return {
    mongodbUrl: TEST_MONGODB_URL,
    redisUrl: TEST_REDIS_URL,
    prefix: `${TEST_PREFIX}_${process.pid}`,
  };
}

/**
 * Opens the servers of a run: those of MONGODB_URL and REDIS_URL, otherwise new ones. Processes
 * started afterwards find them with `getTestServers`.
 * @returns a function that removes all data of the run and closes the servers.
 */
export async function startTestServers(): Promise<() => Promise<void>> {
  const prefix = `meterbook_test_${process.pid}_${Date.now().toString(36)}`;
  const [redis, mongo] = await Promise.all([openRedis(prefix), openMongo(prefix)]);
  Object.assign(process.env, { TEST_MONGODB_URL: mongo.url, TEST_REDIS_URL: redis.url, TEST_PREFIX: prefix });
  return async () => {
    await Promise.all([redis.close(), mongo.close()]);
  };
}

interface Server {
  url: string;
  close: () => Promise<void>;
}

async function openRedis(prefix: string): Promise<Server> {
  const url = process.env.REDIS_URL;
  return url ? { url, close: () => deleteKeys(url, prefix) } : startRedis();
}

async function openMongo(prefix: string): Promise<Server> {
  const url = process.env.MONGODB_URL;
  return url ? { url, close: () => dropDatabases(url, prefix) } : startStoreProcess();
}

/**
 * Replaces the database of a connection string. MongoDB authenticates a user without `authSource`
 * in the database of the string, so the original database (or `admin`) becomes the `authSource`.
 */
export function withDatabase(url: string, database: string): string {
  const parsed = new ConnectionString(url);
  const options = parsed.typedSearchParams<{ authSource: string }>();
  const old = parsed.pathname.slice(1);
  if (parsed.username !== '' && !options.has('authSource')) options.set('authSource', old || 'admin');
  parsed.pathname = `/${database}`;
  return parsed.toString();
}

/** Drops the database that the connection string names. */
export const dropDatabase = (url: string) => withClient(url, (client) => client.db().dropDatabase());

/** Drops every database whose name starts with `prefix`. */
const dropDatabases = (url: string, prefix: string) =>
  withClient(url, async (client) => {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) if (name.startsWith(prefix)) await client.db(name).dropDatabase();
  });

async function withClient(url: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(url);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

/** Removes every key that starts with `prefix`, without blocking the server. */
export async function deleteKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = createRedis(redisUrl, { lazyConnect: true });
  try {
    await redis.connect();
    const pattern = `${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
    for await (const keys of redis.scanStream({ match: pattern, count: 1_000 }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}

/** The embedded document store in a process of its own. */
export interface StoreProcess {
  url: string;
  child: ChildProcess;
  close: () => Promise<void>;
}

/** Starts a document store on a free port and an empty folder. Both end with this process. */
export async function startStoreProcess(): Promise<StoreProcess> {
  const directory = await createOwnFolder();
  // Tests of durability start a store of their own; for all others, a sync to disk after every
  // write is only a delay.
  const environment = { ...process.env, DOCUMENT_STORE_SYNC: 'off' };
  const program = documentStoreProgram({ port: 0, directory }, environment);
  const child = spawnChild({ ...program, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  // The output is read and discarded, because a full pipe would block the store.
  child.stdout?.resume();
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The document store ended during its start: ${stderr.trim()}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ listening: number }];
  ended.catch(() => {});
  // The store does not keep the test run alive.
  unrefChild(child);
  return {
    url: `mongodb://127.0.0.1:${message.listening}`,
    child,
    close: () => endChild(child),
  };
}
