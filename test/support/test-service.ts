import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import { createApp } from '../../api/app.ts';
import type { AppDeps } from '../../api/app-deps.ts';
import { createHttpServer } from '../../api/server/http-server.ts';
import { stopListening } from '../../api/server/listen.ts';
import { awaitedQueues, createWaitForJob } from '../../api/wait-for-job.ts';
import { type Config, readConfig } from '../../shared/config/config.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { openRedis } from '../../shared/connections/redis.ts';
import { createModels, ensureIndexes } from '../../shared/models/index.ts';
import { loadPriceBook } from '../../shared/pricing/price-book.ts';
import { openQueues } from '../../shared/queues/index.ts';
import { startHeartbeat } from '../../shared/runtime/heartbeat.ts';
import { createLog, type Log } from '../../shared/runtime/log.ts';
import { createCircuitBreaker } from '../../shared/services/circuit-breaker.ts';
import { createIngestSpool } from '../../shared/services/ingest-spool.ts';
import { chooseBackend } from '../../workers/notebook-backends/choose-backend.ts';
import { createScanner } from '../../workers/pii/scan-personal-data.ts';
import { type RunningWorkers, startWorkers } from '../../workers/start-workers.ts';
import type { WorkerDeps } from '../../workers/worker-deps.ts';
import { answerCheck } from './check-answer.ts';
import { deleteKeys } from './redis-keys.ts';
import { withDatabase } from './test-database.ts';
import { testServers } from './test-servers.ts';

export const dashboardPassword = 'a password for tests';
export const tokenSecret = 'a secret of tests, long enough to sign with';

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into by assertions
  body: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent as JSON, or as it is when it is text or bytes. */
  body?: unknown;
}

/** The whole service on a free port, on a database and a key prefix of its own, with workers in the same process. */
export interface TestService {
  url: string;
  /** What the configuration was read from: what a process beside this one is started with. */
  environment: Record<string, string>;
  config: Config;
  app: AppDeps;
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Sent with every request that does not carry its own. */
  headers: Record<string, string>;
  /** Starts workers on the same database and queues; also again, after `stopWorkers`. */
  startWorkers(): Promise<void>;
  stopWorkers(): Promise<void>;
}

let count = 0;

/** The environment of a service of its own on the servers of this run. */
export function testEnvironment(): Record<string, string> {
  const servers = testServers();
  count += 1;
  const name = `${servers.prefix}_${count}`;
  return {
    NODE_ENV: 'test',
    MONGODB_URL: withDatabase(servers.mongodbUrl, name),
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: name,
    SPOOL_KEY: 'ab'.repeat(32),
    DASHBOARD_PASSWORD: dashboardPassword,
    TOKEN_SECRET: tokenSecret,
    // Out of the way of everything but the tests of limits.
    ...Object.fromEntries(
      ['FREE', 'PREMIUM', 'ENTERPRISE', 'DEFAULT', 'NOTEBOOKS', 'INGEST', 'DOWNLOADS', 'LOGIN'].map((name) => [
        `RATE_LIMIT_${name}`,
        '1000000',
      ]),
    ),
    // An entry is answered once it is counted, however slow the machine is.
    INGEST_WAIT_MS: '30000',
    // Nothing listens there: tests that have to do with notebooks bring a backend.
    NOTEBOOK_BACKEND_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'error',
  };
}

export interface TestServiceOptions {
  /** What differs; a function is asked when the tests begin, for addresses that are not known before. */
  environment?: Record<string, string> | (() => Promise<Record<string, string>>);
  workers?: boolean;
  circuitBreaker?: Pick<Parameters<typeof createCircuitBreaker>[0], 'minFailureTime'>;
}

/**
 * A service for the tests of the enclosing `describe`: started before them, closed and removed after them.
 * @param options.workers false leaves the queues unserved until a test starts workers.
 */
export function testService(options: TestServiceOptions = {}): TestService {
  let running: Running | undefined;
  const headers: Record<string, string> = {};
  const current = () => {
    if (!running) throw new Error('The service runs inside tests and hooks only.');
    return running;
  };
  before(async () => {
    const { environment } = options;
    const own = typeof environment === 'function' ? await environment() : environment;
    running = await start({ ...testEnvironment(), ...own }, options);
    if (options.workers !== false) await running.startWorkers();
  });
  after(async () => {
    await running?.close();
  });
  return {
    get url() {
      return current().url;
    },
    get environment() {
      return current().environment;
    },
    get config() {
      return current().config;
    },
    get app() {
      return current().app;
    },
    headers,
    request: async (method, path, requestOptions) => {
      const response = await sendRequest(current().url, method, path, {
        ...requestOptions,
        headers: { ...headers, ...requestOptions?.headers },
      });
      answerCheck(current().app)(method, path, response);
      return response;
    },
    startWorkers: () => current().startWorkers(),
    stopWorkers: () => current().stopWorkers(),
  };
}

interface Running extends Omit<TestService, 'request' | 'headers'> {
  close(): Promise<void>;
}

async function start(environment: Record<string, string>, options: TestServiceOptions): Promise<Running> {
  const config = readConfig(environment);
  const log = createLog({ level: config.logLevel, process: 'web', silent: true });
  const { redisPrefix: prefix } = config;
  const mongo = await openMongo(config.mongodbUrl);
  const models = createModels(mongo);
  await ensureIndexes(models);
  const redis = await openRedis(config.redisUrl, 'request', log);
  const workerRedis = await openRedis(config.redisUrl, 'worker', log);
  const queues = openQueues({ redis, prefix, log });
  const waitForJob = await createWaitForJob({ names: awaitedQueues, redis: workerRedis, queues, prefix, log });
  const spool = createIngestSpool({ redis, prefix, key: config.spoolKey });
  const priceBook = loadPriceBook();
  const notebookBreaker = createCircuitBreaker({ redis, prefix, ...options.circuitBreaker });
  const app = { config, log, mongo, models, redis, queues, waitForJob, spool, priceBook, notebookBreaker };
  const { server, url } = await listenAnywhere(createApp(app));
  const workers = workersOf(
    { ...app, scan: createScanner(config.pii), notebookBackend: chooseBackend(config.notebooks) },
    workerRedis,
  );
  return {
    url,
    environment,
    config,
    app,
    ...workers,
    close: async () => {
      await workers.stopWorkers();
      await stopListening(server, 0);
      await waitForJob.close();
      await queues.close();
      await mongo.dropDatabase();
      await mongo.close();
      redis.disconnect();
      workerRedis.disconnect();
      await deleteKeys(config.redisUrl, `${prefix}:`);
    },
  };
}

function workersOf(deps: WorkerDeps, redis: Redis) {
  let workers: RunningWorkers | undefined;
  let endHeartbeat = () => {};
  return {
    startWorkers: async () => {
      workers = startWorkers(deps.config.workerQueues, redis, deps);
      endHeartbeat = await startHeartbeat(redis, deps.config.redisPrefix, deps.log);
    },
    stopWorkers: async () => {
      endHeartbeat();
      await workers?.close(deps.config.shutdownGraceMs);
      workers = undefined;
    },
  };
}

/** An app on a free port of this machine. */
export async function listenAnywhere(
  app: ReturnType<typeof createApp>,
  log: Log = createLog({ level: 'error', process: 'web' }),
): Promise<{ server: Server; url: string }> {
  const server = createHttpServer(app, log).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function sendRequest(
  url: string,
  method: string,
  path: string,
  { headers = {}, body }: RequestOptions = {},
): Promise<TestResponse> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined || raw ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('Content-Type')?.startsWith('application/json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined };
}
