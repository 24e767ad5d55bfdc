import { minute } from '../../shared/durations.ts';
import { startRedis } from './own-redis.ts';
import { deleteKeys } from './redis-keys.ts';
import { startRedisWithSentinel } from './redis-sentinel.ts';
import { startStoreProcess } from './store-process.ts';
import { dropDatabases } from './test-database.ts';

/**
 * The servers for the tests of one process. The names of its databases and keys start with
 * `prefix`.
 */
export interface TestServers {
  mongodbUrl: string;
  redisUrl: string;
  /** One Redis, for tests with a proxy before it: `redisUrl`, or another one beside sentinels. */
  singleRedisUrl: string;
  prefix: string;
}

/**
 * The servers of the run, from the environment that `startTestServers` has set in this process or
 * its parent.
 */
export function getTestServers(): TestServers {
  const { TEST_MONGODB_URL, TEST_REDIS_URL, TEST_SINGLE_REDIS_URL, TEST_PREFIX } = process.env;
  if (!TEST_MONGODB_URL || !TEST_REDIS_URL || !TEST_SINGLE_REDIS_URL || !TEST_PREFIX) {
    throw new Error('This run has no servers. `npm run check` does not run tests that need Redis or MongoDB.');
  }
  return {
    mongodbUrl: TEST_MONGODB_URL,
    redisUrl: TEST_REDIS_URL,
    singleRedisUrl: TEST_SINGLE_REDIS_URL,
    prefix: `${TEST_PREFIX}_${process.pid}`,
  };
}

/**
 * Opens the servers of a run: the servers of MONGODB_URL and REDIS_URL, otherwise a new document
 * store and the Redis of TEST_REDIS: `sentinel`, or by default one redis-server.
 * Processes started afterwards find the servers with `getTestServers`.
 * @returns a function that removes all data of the run and closes the servers.
 */
export async function startTestServers(): Promise<() => Promise<void>> {
  const prefix = `meterbook_test_${process.pid}_${Date.now().toString(36)}`;
  const [redis, mongo] = await Promise.all([openRedis(prefix), openMongo(prefix)]);
  const isSingle = /^rediss?:/.test(redis.url);
  const single = isSingle ? redis : await startRedis();
  Object.assign(process.env, {
    TEST_MONGODB_URL: mongo.url,
    TEST_REDIS_URL: redis.url,
    TEST_SINGLE_REDIS_URL: single.url,
    TEST_PREFIX: prefix,
  });
  return async () => {
    await Promise.all([redis.close(), mongo.close(), ...(isSingle ? [] : [single.close()])]);
  };
}

/** Servers that are busy with tests do not count as down. */
const noFailover = minute;

interface Server {
  url: string;
  close: () => Promise<void>;
}

async function openRedis(prefix: string): Promise<Server> {
  const url = process.env.REDIS_URL;
  if (url) return { url, close: () => deleteKeys(url, prefix) };
  switch (process.env.TEST_REDIS ?? '') {
    case 'sentinel':
      return startRedisWithSentinel({ downAfterMs: noFailover });
    case '':
      return startRedis();
    default:
      throw new Error('TEST_REDIS is not sentinel.');
  }
}

async function openMongo(prefix: string): Promise<Server> {
  const url = process.env.MONGODB_URL;
  if (url) return { url, close: () => dropDatabases(url, prefix) };
  return startStoreProcess();
}
