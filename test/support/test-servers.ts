import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirectory } from '../../scripts/ensure-installed.mjs';
import { startRedis } from '../../scripts/local-stack/redis-server.ts';
import { typescriptProgram } from '../../scripts/local-stack/services.ts';
import { spawnChild, unrefChild, waitForClose } from '../../scripts/local-stack/spawn-child.ts';
import { Watchdog } from '../../scripts/local-stack/watchdog.ts';
import { deleteKeys } from './redis-keys.ts';
import { dropDatabase, withDatabase } from './test-database.ts';

/** What a test run works on: a database and a key prefix that nobody else uses. */
export interface TestServers {
  mongodbUrl: string;
  redisUrl: string;
  redisPrefix: string;
}

interface Started {
  servers: TestServers;
  close: () => Promise<void>;
}

let started: Promise<Started> | undefined;

/**
 * The servers of this test run, started by the first test that asks for them: those of MONGODB_URL and REDIS_URL, else
 * a redis-server and an embedded document store of the run's own. Also to be read, from then on, in TEST_MONGODB_URL,
 * TEST_REDIS_URL and TEST_REDIS_PREFIX.
 */
export async function testServers(): Promise<TestServers> {
  started ??= start();
  return (await started).servers;
}

/** Ends what `testServers` has started and removes what the run has written; nothing when no test has asked. */
export async function closeTestServers(): Promise<void> {
  const running = started;
  started = undefined;
  // A start that failed has been reported by the test that asked for it, and has cleaned up after itself.
  const servers = await running?.catch(() => undefined);
  await servers?.close();
}

async function start(): Promise<Started> {
  const name = `meterbook_test_${process.pid}_${Date.now().toString(36)}`;
  // Whatever becomes of this process, the watchdog stops the servers and removes the folder.
  const watchdog = new Watchdog();
  const opening = [openRedis(name, watchdog), openMongo(name, watchdog)] as const;
  const [redis, mongo] = await Promise.all(opening).catch(async (error: unknown) => {
    await Promise.allSettled(opening);
    await watchdog.close();
    throw error;
  });
  const servers = { mongodbUrl: mongo.url, redisUrl: redis.url, redisPrefix: name };
  process.env.TEST_MONGODB_URL = servers.mongodbUrl;
  process.env.TEST_REDIS_URL = servers.redisUrl;
  process.env.TEST_REDIS_PREFIX = servers.redisPrefix;
  return {
    servers,
    close: async () => {
      await Promise.all([redis.close(), mongo.close()]);
      await watchdog.close();
    },
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

async function openMongo(database: string, watchdog: Watchdog): Promise<Server> {
  const given = process.env.MONGODB_URL;
  if (given) {
    const url = withDatabase(given, database);
    return { url, close: () => dropDatabase(url) };
  }
  const directory = await temporaryFolder('documents', watchdog);
  const program = typescriptProgram('scripts/local-stack/document-store/main.ts', {
    ...process.env,
    DOCUMENT_STORE_PORT: '0',
    DOCUMENT_STORE_DIR: directory,
  });
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
    url: `mongodb://127.0.0.1:${message.listening}/${database}`,
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
