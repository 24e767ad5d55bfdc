import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { createPasswords } from '../../api/accounts/passwords.ts';
import { createApp } from '../../api/app.ts';
import type { AppDeps } from '../../api/app-deps.ts';
import { createHttpServer, stopListening } from '../../api/http/http-server.ts';
import { createWaitForJob } from '../../api/jobs/wait-for-job.ts';
import { type Config, readConfig } from '../../shared/config/config.ts';
import { openRedis } from '../../shared/connections/redis.ts';
import { createCircuitBreaker } from '../../shared/notebooks/circuit-breaker.ts';
import { openResources } from '../../shared/open-resources.ts';
import { startHeartbeat } from '../../shared/process/heartbeat.ts';
import { createLog, type Log } from '../../shared/process/log.ts';
import { createMetrics, createMetricsTotals } from '../../shared/process/metrics.ts';
import { migrateDatabase } from '../../shared/start.ts';
import { createBatchThreads } from '../../workers/ingest/batch-threads.ts';
import { createFindAssumptions } from '../../workers/ingest/find-assumptions.ts';
import { type RunningWorkers, startWorkers } from '../../workers/jobs/start-workers.ts';
import { chooseBackend } from '../../workers/notebooks/backends/choose-backend.ts';
import { notebookLock } from '../../workers/notebooks/notebook-lock.ts';
import { launchBrowser } from '../../workers/reports/pdf/chromium.ts';
import { createPdfPrinter } from '../../workers/reports/pdf/pdf-printer.ts';
import { createRollUpRequests } from '../../workers/usage/roll-up-requests.ts';
import type { WorkerDeps } from '../../workers/worker-deps.ts';
import { getResponseCheck } from './response-check.ts';
import { testChromium } from './test-chromium.ts';
import { deleteKeys, getTestServers, withDatabase } from './test-servers.ts';

export const dashboardPassword = 'a password for tests';
/** The lowest of bcrypt: a hash takes a millisecond instead of a quarter of a second. */
export const passwordCost = 4;
export const tokenSecret = 'a secret of tests, long enough to sign with';

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  bytes: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- assertions check the shape
  body: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** The body, sent as JSON. Text and bytes are sent unchanged. */
  body?: unknown;
}

/**
 * The whole service on a free port, with its own database and key prefix. Its workers run in the
 * same process.
 */
export interface TestService {
  url: string;
  /** The variables of its configuration, for starting further processes of the same service. */
  environment: Record<string, string>;
  config: Config;
  app: AppDeps;
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Default headers of every request. */
  headers: Record<string, string>;
  /** Starts the workers. They can be started again after `stopWorkers`. */
  startWorkers(): Promise<void>;
  stopWorkers(): Promise<void>;
}

let count = 0;

/** The environment of a new service on the servers of this run. */
export function createTestEnvironment(): Record<string, string> {
  const servers = getTestServers();
  count += 1;
  const name = `${servers.prefix}_${count}`;
  return {
    NODE_ENV: 'test',
    MONGODB_URL: withDatabase(servers.mongodbUrl, name),
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: name,
    SERVICE_SECRET: createHash('sha256').update('a key of tests').digest('hex'),
    DASHBOARD_PASSWORD: dashboardPassword,
    TOKEN_SECRET: tokenSecret,
    // Only the tests of rate limits reach a limit.
    ...Object.fromEntries(
      ['FREE', 'PREMIUM', 'ENTERPRISE', 'DEFAULT', 'NOTEBOOKS', 'INGEST', 'DOWNLOADS', 'LOGIN'].map((name) => [
        `RATE_LIMIT_${name}`,
        '1000000',
      ]),
    ),
    MAX_CONCURRENT_REQUESTS: '1000000',
    // The time is long enough to count an entry on a slow machine, so that requests are not
    // 202.
    INGEST_WAIT_MS: '120000',
    // A store that shares a busy machine with other tests is slow, not unreachable.
    MONGODB_TIMEOUT_MS: '20000',
    // No server listens on this port. The tests of notebooks start a backend.
    NOTEBOOK_BACKEND_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'error',
  };
}

interface TestServiceOptions {
  /**
   * Overrides of the test environment. A function is called when the tests start, for addresses
   * unknown before.
   */
  environment?: Record<string, string> | (() => Promise<Record<string, string>>);
  /** Overrides of settings that have no variable. */
  config?: Partial<Config>;
  workers?: boolean;
}

/**
 * Starts a service before the tests of the enclosing `describe`, and closes it and deletes its data
 * afterwards.
 * @param options.workers if false, no workers are started. A test can start them.
 */
export function startTestService(options: TestServiceOptions = {}): TestService {
  let running: Running | undefined;
  const headers: Record<string, string> = {};
  const current = () => {
    if (!running) throw new Error('The service runs only during tests and hooks.');
    return running;
  };
  before(async () => {
    const { environment } = options;
    const overrides = typeof environment === 'function' ? await environment() : environment;
    running = await start({ ...createTestEnvironment(), ...overrides }, options);
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
      getResponseCheck(current().app)(method, path, response);
      return response;
    },
    startWorkers: () => current().startWorkers(),
    stopWorkers: () => current().stopWorkers(),
  };
}

interface Running extends Omit<TestService, 'request' | 'headers'> {
  close(): Promise<void>;
}

const threadsByConfig = new Map<string, WorkerDeps['batchThreads']>();

/**
 * The services of a process share threads, because a thread takes a second to start. Idle threads
 * end with the process.
 */
function sharedBatchThreads(config: Config): WorkerDeps['batchThreads'] {
  const { keys, previousKeys, pii, ingestThreads } = config;
  const entryKeys = [keys.entries, previousKeys?.entries].map((entryKey) => entryKey?.toString('hex'));
  const key = JSON.stringify([entryKeys, pii, ingestThreads]);
  const threads = threadsByConfig.get(key) ?? createBatchThreads(config);
  threadsByConfig.set(key, threads);
  return threads;
}

async function start(environment: Record<string, string>, options: TestServiceOptions): Promise<Running> {
  const config: Config = { ...readConfig(environment), ingestThreads: 1, ...options.config };
  const log = createLog({ level: config.logLevel, process: 'web', silent: !process.env['SHOWLOG'] });
  const { redisPrefix: prefix } = config;
  await migrateDatabase(config);
  const { resources, closing } = await openResources(config, log, { mongo: 'request', redis: 'request' });
  const { mongo, models, redis, queues } = resources;
  const workerRedis = await openRedis(config.redisUrl, 'worker', log);
  const waitForJob = await createWaitForJob({ redis, queues, config });
  const metrics = createMetrics();
  const app = {
    ...resources,
    waitForJob,
    notebookBreaker: createCircuitBreaker({ redis, prefix }),
    metrics,
    metricsTotals: createMetricsTotals(metrics, { redis, prefix, process: 'web' }),
    // Quick hashes.
    passwords: createPasswords(passwordCost),
  };
  const { server, url } = await listenOnFreePort(createApp(app));
  const batchThreads = sharedBatchThreads(config);
  const notebookBackend = chooseBackend(config.notebooks, notebookLock({ redis, config }));
  const rollUpRequests = createRollUpRequests({ queues, log });
  const findAssumptions = createFindAssumptions(models);
  const pdfPrinter = createPdfPrinter({ launch: () => launchBrowser(testChromium) });
  const workers = createWorkerControls(
    mongo,
    { ...app, batchThreads, findAssumptions, rollUpRequests, pdfPrinter, notebookBackend },
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
      waitForJob.close();
      await mongo.dropDatabase();
      for (const step of closing) await step.run();
      workerRedis.disconnect();
      await deleteKeys(config.redisUrl, `${prefix}:`);
    },
  };
}

function createWorkerControls(mongo: Connection, deps: WorkerDeps, redis: Redis) {
  let workers: RunningWorkers | undefined;
  let stopHeartbeat = async () => {};
  return {
    startWorkers: async () => {
      workers = startWorkers(deps.config.workerQueues, redis, deps);
      const { reportQueues } = workers;
      const { redisPrefix: prefix } = deps.config;
      stopHeartbeat = await startHeartbeat({ id: randomUUID(), redis, prefix, mongo, reportQueues, log: deps.log });
    },
    stopWorkers: async () => {
      await stopHeartbeat();
      await workers?.close(deps.config.shutdownGraceMs);
      await deps.rollUpRequests.close();
      await deps.pdfPrinter.close();
      workers = undefined;
    },
  };
}

/** Serves an app on a free port of loopback. */
export async function listenOnFreePort(
  app: ReturnType<typeof createApp>,
  log: Log = createLog({ level: 'error', process: 'web' }),
): Promise<{ server: Server; url: string }> {
  const server = createHttpServer(app, log).listen(0, '127.0.0.1');
  // On a busy machine, a test can send on a connection that the server of the same process is about
  // to close as idle.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Serves an app with these dependencies while `work` runs. */
export async function withApp(deps: AppDeps, work: (url: string) => Promise<void>): Promise<void> {
  const { server, url } = await listenOnFreePort(createApp(deps));
  try {
    await work(url);
  } finally {
    await stopListening(server, 0);
  }
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
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const json = response.headers.get('Content-Type')?.startsWith('application/json') && text !== '';
  return { status: response.status, headers: response.headers, text, bytes, body: json ? JSON.parse(text) : undefined };
}

export type WebProcess = Pick<TestService, 'request' | 'url'>;

/**
 * Starts a second `web` on the service's database and Redis. It runs in this process, with its own
 * connections, and no cache of a `web` outlives its objects. @returns both.
 */
export function startSecondWebProcess(service: TestService): readonly [WebProcess, WebProcess] {
  const second = startTestService({ workers: false, environment: async () => service.environment });
  return [
    service,
    {
      get url() {
        return second.url;
      },
      request: (method, path, requestOptions) => sendRequest(second.url, method, path, requestOptions),
    },
  ];
}
