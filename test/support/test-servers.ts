import { startRedis } from './own-redis.ts';
import { deleteKeys } from './redis-keys.ts';
import { startStoreProcess } from './store-process.ts';
import { dropDatabases } from './test-database.ts';

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
