import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { backendCollection, createNotebookServer } from '../../scripts/local-stack/notebook-backend/notebook-server.ts';
import { addApiKeyToRequests } from './accounts.ts';
import { createOpenNotebookServer } from './open-notebook-server.ts';
import { createOwnFolder } from './own-redis.ts';
import { type HttpProxy, listen, startHttpProxy } from './proxy.ts';
import { dropDatabase, getTestServers, withDatabase } from './test-servers.ts';
import { startTestService, type TestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

/** A running backend. `count` reads its notebooks directly, not through the service. */
export interface RunningBackend {
  url: string;
  token: string;
  count(): Promise<number>;
  close(): Promise<void>;
}

export const backendToken = 'the-backend-token-of-the-tests';

/** Starts the reference backend on its own database. */
export async function startHttpBackend(): Promise<RunningBackend> {
  const { mongodbUrl, prefix } = getTestServers();
  const url = withDatabase(mongodbUrl, `${prefix}_backend_${randomUUID().slice(0, 8)}`);
  const client = await new MongoClient(url).connect();
  const app = await createNotebookServer(client.db(), backendToken);
  const handle = app.callback();
  const server = await listen(createServer((request, response) => void handle(request, response)));
  return {
    url: server.url,
    token: backendToken,
    count: () => client.db().collection(backendCollection).countDocuments(),
    close: async () => {
      await server.stop();
      await client.close();
      await dropDatabase(url);
    },
  };
}

/** A service with notebooks at the reference backend, for the enclosing `describe`. */
export function startServiceWithNotebooks(settings: Record<string, string> = {}): TestService {
  let backend: RunningBackend | undefined;
  const service = startTestService({
    environment: async () => {
      backend = await startHttpBackend();
      return { NOTEBOOK_BACKEND_URL: backend.url, NOTEBOOK_BACKEND_TOKEN: backend.token, ...settings };
    },
  });
  after(() => backend?.close());
  return service;
}

export async function startOpenNotebook() {
  const fake = createOpenNotebookServer(backendToken);
  const server = await listen(fake.server);
  return { url: server.url, fake, token: backendToken, count: async () => fake.rows.size, close: server.stop };
}

/** The path of jupyter-server, or undefined if it is not installed. */
export function findJupyter(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'jupyter-server'))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Only its description is used. A server with more kernels has others besides. */
const testKernel = { argv: ['none'], display_name: 'Test kernel', language: 'python' };

/** Starts a real Jupyter Server on its own folder. */
export async function startJupyter(command: string): Promise<RunningBackend & { folder: string }> {
  const [home, folder] = [await createOwnFolder(), await createOwnFolder()];
  const kernel = join(home, '.local/share/jupyter/kernels/test-kernel');
  await mkdir(kernel, { recursive: true });
  await writeFile(join(kernel, 'kernel.json'), JSON.stringify(testKernel));
  const port = await findFreePort();
  const options = {
    ip: '127.0.0.1',
    port: String(port),
    port_retries: '0',
    open_browser: 'False',
    allow_root: 'True',
    token: backendToken,
    root_dir: folder,
  };
  const child = spawn(
    command,
    Object.entries(options).map(([name, value]) => `--ServerApp.${name}=${value}`),
    { env: { ...process.env, HOME: home, JUPYTER_RUNTIME_DIR: home }, stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  const responds = async () => {
    if (child.exitCode !== null) throw new Error(`Jupyter Server ended with exit code ${child.exitCode}.`);
    return (await fetch(`${url}/api`).catch(() => undefined))?.ok;
  };
  await waitUntil('Jupyter Server to respond', async () => (await responds()) ?? false);
  return {
    url,
    folder,
    token: backendToken,
    count: async () => {
      const names = await readdir(folder, { recursive: true });
      // Jupyter keeps checkpoints in hidden folders.
      return names.filter((name) => name.endsWith('.ipynb') && !name.includes('.ipynb_checkpoints')).length;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export interface CreatedNotebook {
  id: string;
  title: string;
  description: string | null;
  created_at: string;
}

export interface NotebookFixture<Backend> {
  service: TestService;
  backend: Backend;
  proxy: HttpProxy;
  create: (body?: object) => Promise<CreatedNotebook>;
}

/**
 * A service and its backend, with a proxy between the two, for the tests of the enclosing
 * `describe`.
 */
export function createNotebookFixture<Backend extends RunningBackend>(
  kind: string,
  start: () => Promise<Backend>,
  settings: Record<string, string> = {},
  { workers = true } = {},
): NotebookFixture<Backend> {
  let backend: Backend | undefined;
  let proxy: HttpProxy | undefined;
  const service = startTestService({
    workers,
    environment: async () => {
      backend = await start();
      proxy = await startHttpProxy(backend.url);
      return {
        NOTEBOOK_BACKEND: kind,
        NOTEBOOK_BACKEND_URL: proxy.url,
        NOTEBOOK_BACKEND_TOKEN: backend.token,
        ...settings,
      };
    },
  });
  addApiKeyToRequests(service);
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The backend runs only during tests and hooks.');
    return value;
  };
  before(async () => {
    if (!workers) return;
    // The requests of a test are not counted together with those of the first probe.
    const { redis } = service.app;
    const key = `${service.config.redisPrefix}:notebook-breaker:problem`;
    await waitUntil('the first probe', async () => (await redis.exists(key)) === 1);
  });
  after(async () => {
    await proxy?.stop();
    await backend?.close();
  });
  afterEach(() => {
    started(proxy).faultFor = () => undefined;
  });
  return {
    service,
    get backend() {
      return started(backend);
    },
    get proxy() {
      return started(proxy);
    },
    create: async (body = {}) => {
      const given = { title: `book ${randomUUID()}`, ...body };
      const response = await service.request('POST', '/api/v1/notebooks', { body: given });
      expect(response.status, response.text).to.equal(201);
      return response.body.data;
    },
  };
}
