import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Program } from './child-process.ts';
import { findFreePort, isListening } from './free-port.ts';
import { createRedisUrl, prepareRedis, waitForRedis } from './redis-server.ts';
import type { Secrets } from './secrets.ts';
import { addressFiles, type Settings, serviceUrl } from './settings.ts';
import type { Service } from './supervisor.ts';

const pollIntervalMs = 50;
const modules = createRequire(import.meta.url);
/** Runs TypeScript without a build, from any working directory. */
const tsx = pathToFileURL(modules.resolve('tsx/esm')).href;
const project = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The processes of the local stack. `servers` are Redis and the document store, `backends` the
 * notebook backend, unless the settings name others. `web` and `worker` run the files of `dist`.
 */
export async function localServices(settings: Settings, secrets: Secrets, environment: NodeJS.ProcessEnv) {
  const redis = settings.redisUrl === undefined ? await redisService(settings, environment) : undefined;
  const store = settings.mongodbUrl === undefined ? await storeService(settings, environment) : undefined;
  const mongodbUrl = settings.mongodbUrl ?? store?.url ?? '';
  const notebooks = settings.hasNotebookBackend ? undefined : await notebookService(mongodbUrl, environment);
  const serviceEnvironment = {
    ...environment,
    NODE_ENV: environment.NODE_ENV || 'development',
    MIGRATE_AT_START: 'true',
    HOST: settings.host,
    PORT: String(settings.port),
    MONGODB_URL: mongodbUrl,
    REDIS_URL: settings.redisUrl ?? redis?.url,
    ...notebooks?.settings,
    ...secrets,
  };
  const program = (file: string): Program => ({
    command: process.execPath,
    args: [join(project, 'dist', file)],
    environment: serviceEnvironment,
  });
  const servers: Service[] = [redis, store].filter((service) => service !== undefined);
  return {
    servers,
    backends: notebooks ? [notebooks] : [],
    // The worker has no port: /health/ready of the web process reports whether it runs.
    worker: { name: 'worker', program: program('workers/main.js') },
    web: {
      name: 'web',
      program: program('api/main.js'),
      // A notebook backend of others can be down, and takes nothing else down.
      ready: (signal: AbortSignal) =>
        waitForOk(`${serviceUrl(settings)}/health/ready?for=${notebooks ? 'all' : 'ingest'}`, signal),
    },
  };
}

/** The command line of a TypeScript file; a relative path begins at the project folder. */
export function typescriptProgram(file: string, environment: NodeJS.ProcessEnv): Program {
  return { command: process.execPath, args: ['--import', tsx, resolve(project, file)], environment };
}

/**
 * The document store as a program. Port 0 means a free port, which the program reports over IPC and
 * on stdout.
 */
export function documentStoreProgram(
  { port, directory }: { port: number; directory: string },
  environment: NodeJS.ProcessEnv,
): Program {
  const own = { ...environment, DOCUMENT_STORE_PORT: String(port), DOCUMENT_STORE_DIR: directory };
  return typescriptProgram(modules.resolve('@meterbook/document-store/main'), own);
}

async function redisService({ dataDirectory }: Settings, environment: NodeJS.ProcessEnv) {
  const directory = join(dataDirectory, 'redis');
  const url = await createRedisUrl();
  await writeFile(join(dataDirectory, addressFiles.REDIS_URL), `${url}\n`, { mode: 0o600 });
  return {
    name: 'redis',
    url,
    program: await prepareRedis({ url, directory }, dataDirectory, environment),
    // The log of Redis is not JSON, and contains a warning about kernel settings at every start.
    isSilent: true,
    ready: (signal: AbortSignal) => waitForRedis(url, signal),
  };
}

async function storeService({ dataDirectory }: Settings, environment: NodeJS.ProcessEnv) {
  const port = await findFreePort();
  const url = `mongodb://127.0.0.1:${port}/meterbook`;
  await writeFile(join(dataDirectory, addressFiles.MONGODB_URL), `${url}\n`, { mode: 0o600 });
  return {
    name: 'store',
    url,
    program: documentStoreProgram({ port, directory: join(dataDirectory, 'documents') }, environment),
    ready: (signal: AbortSignal) => waitForPort(port, signal),
  };
}

/** The reference notebook backend with a random token, and the settings for connecting to it. */
async function notebookService(mongodbUrl: string, environment: NodeJS.ProcessEnv) {
  const port = await findFreePort();
  const token = randomBytes(24).toString('hex');
  const own = { MONGODB_URL: mongodbUrl, NOTEBOOK_BACKEND_PORT: String(port), NOTEBOOK_BACKEND_TOKEN: token };
  return {
    name: 'notebooks',
    program: typescriptProgram('scripts/local-stack/notebook-backend/main.ts', { ...environment, ...own }),
    settings: {
      NOTEBOOK_BACKEND: 'http',
      NOTEBOOK_BACKEND_URL: `http://127.0.0.1:${port}`,
      NOTEBOOK_BACKEND_TOKEN: token,
    },
    ready: (signal: AbortSignal) => waitForPort(port, signal),
  };
}

/** Waits until a port of this machine accepts connections. */
export async function waitForPort(port: number, signal: AbortSignal): Promise<void> {
  while (!(await isListening({ port, host: '127.0.0.1' }))) await delay(pollIntervalMs, undefined, { signal });
}

/**
 * Waits until a GET gets a response 2xx.
 * @throws Error with the last response if the signal aborts before.
 */
export async function waitForOk(url: string, signal: AbortSignal): Promise<void> {
  let last = 'no response';
  while (!signal.aborted) {
    const response = await fetch(url, { signal, headers: { connection: 'close' } }).catch(() => undefined);
    if (response) last = `${response.status} ${await response.text().catch(() => '')}`;
    if (response?.ok) return;
    await delay(pollIntervalMs, undefined, { signal }).catch(() => {});
  }
  throw new Error(`${url} gets no response 2xx. The last one: ${last.slice(0, 1_000)}`);
}
