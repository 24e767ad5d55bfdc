import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findFreePort } from './free-port.ts';
import { redisProgram, stopLeftoverRedis, untilRedisAnswers } from './redis-server.ts';
import type { Secrets } from './secrets.ts';
import { type Settings, serviceUrl } from './settings.ts';
import type { Program } from './spawn-child.ts';
import type { Service } from './supervisor.ts';

const pollEvery = 50;
const { resolve } = createRequire(import.meta.url);
/** Runs TypeScript without a build; found from here, whatever folder the stack is started in. */
const tsx = pathToFileURL(resolve('tsx/esm')).href;

/**
 * The processes of the local stack in the order of their start. A database, queue or notebook backend whose address is
 * given in the settings is not among them.
 */
export async function localServices(
  settings: Settings,
  secrets: Secrets,
  environment: NodeJS.ProcessEnv,
): Promise<Service[]> {
  const redis = settings.redisUrl === undefined ? await redisService(settings, environment) : undefined;
  const store = settings.mongodbUrl === undefined ? await storeService(settings, environment) : undefined;
  const mongodbUrl = settings.mongodbUrl ?? store?.url ?? '';
  const notebooks =
    settings.notebookBackendUrl === undefined ? await notebookService(mongodbUrl, environment) : undefined;
  const ours = {
    ...environment,
    NODE_ENV: environment.NODE_ENV || 'development',
    HOST: settings.host,
    PORT: String(settings.port),
    MONGODB_URL: mongodbUrl,
    REDIS_URL: settings.redisUrl ?? redis?.url,
    ...(notebooks ? notebooks.settings : {}),
    ...secrets,
  };
  return [
    ...(redis ? [redis] : []),
    ...(store ? [store] : []),
    ...(notebooks ? [notebooks] : []),
    // The worker has no port to ask; /health/ready of the web process says when it is up.
    { name: 'worker', program: typescriptProgram('workers/main.ts', ours) },
    {
      name: 'web',
      program: typescriptProgram('api/main.ts', ours),
      ready: async (signal) => {
        await untilOk(`${serviceUrl(settings)}/health`, signal);
        await untilOk(`${serviceUrl(settings)}/health/ready`, signal);
      },
    },
  ];
}

/** A TypeScript file of this project, named from the project folder, as a program for Node.js. */
export function typescriptProgram(file: string, environment: NodeJS.ProcessEnv): Program {
  return programAt(fileURLToPath(new URL(`../../${file}`, import.meta.url)), environment);
}

/** The document store as a program. Port 0 is a free one; the program reports it over IPC and on stdout. */
export function documentStoreProgram(
  { port, directory }: { port: number; directory: string },
  environment: NodeJS.ProcessEnv,
): Program {
  const own = { ...environment, DOCUMENT_STORE_PORT: String(port), DOCUMENT_STORE_DIR: directory };
  return programAt(resolve('@meterbook/document-store/main'), own);
}

function programAt(path: string, environment: NodeJS.ProcessEnv): Program {
  return { command: process.execPath, args: ['--import', tsx, path], environment };
}

async function redisService(settings: Settings, environment: NodeJS.ProcessEnv): Promise<Service & { url: string }> {
  const directory = join(settings.dataDirectory, 'redis');
  const port = await findFreePort();
  await takeOverRedisDirectory(settings.dataDirectory, directory, port);
  const url = `redis://127.0.0.1:${port}`;
  return {
    name: 'redis',
    url,
    program: redisProgram({ port, directory }, settings.dataDirectory, environment),
    // Its own log has a format of its own, and a warning about kernel settings at every start.
    shownOutput: 'none',
    ready: (signal) => untilRedisAnswers(url, signal),
  };
}

/** Stops what a killed stack may have left running on the directory, and notes the port for the next start. */
async function takeOverRedisDirectory(dataDirectory: string, directory: string, port: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  const note = join(dataDirectory, 'redis.port');
  const lastPort = Number(await readFile(note, 'utf8').catch(() => ''));
  if (lastPort > 0) await stopLeftoverRedis({ port: lastPort, directory });
  await writeFile(note, `${port}\n`);
}

async function storeService(settings: Settings, environment: NodeJS.ProcessEnv): Promise<Service & { url: string }> {
  const port = await findFreePort();
  const directory = join(settings.dataDirectory, 'documents');
  return {
    name: 'store',
    url: `mongodb://127.0.0.1:${port}/meterbook`,
    program: documentStoreProgram({ port, directory }, environment),
    ready: (signal) => untilListening(port, signal),
  };
}

/** The reference notebook backend, with a token that only this stack knows, and what its users must be told. */
async function notebookService(
  mongodbUrl: string,
  environment: NodeJS.ProcessEnv,
): Promise<Service & { settings: Record<string, string> }> {
  const port = await findFreePort();
  const token = randomBytes(24).toString('hex');
  const own = {
    ...environment,
    MONGODB_URL: mongodbUrl,
    NOTEBOOK_BACKEND_PORT: String(port),
    NOTEBOOK_BACKEND_TOKEN: token,
  };
  return {
    name: 'notebooks',
    program: typescriptProgram('scripts/local-stack/notebook-backend/main.ts', own),
    settings: {
      NOTEBOOK_BACKEND: 'http',
      NOTEBOOK_BACKEND_URL: `http://127.0.0.1:${port}`,
      NOTEBOOK_BACKEND_TOKEN: token,
    },
    ready: (signal) => untilListening(port, signal),
  };
}

async function untilListening(port: number, signal: AbortSignal): Promise<void> {
  while (!(await listens(port))) await delay(pollEvery, undefined, { signal });
}

async function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

async function untilOk(url: string, signal: AbortSignal): Promise<void> {
  while (!(await answersOk(url, signal))) await delay(pollEvery, undefined, { signal });
}

async function answersOk(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal, headers: { connection: 'close' } });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Nothing listens yet.
    return false;
  }
}
