import type { Program } from '../../scripts/local-stack/child-process.ts';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { createProgramStarter, type StartedProgram } from './program-starter.ts';
import { builtProgram } from './test-build.ts';
import { deleteKeys, dropDatabase, getTestServers } from './test-servers.ts';
import { createTestEnvironment, type RequestOptions, sendRequest, type TestResponse } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

/** `web` and `worker` as processes, as in a deployment, with data and a port of their own. */
export interface ServiceProcesses {
  /** The variables of all processes. */
  readonly environment: Record<string, string>;
  readonly url: string;
  /** Default headers of every request. */
  readonly headers: Record<string, string>;
  readonly request: (method: string, path: string, options?: RequestOptions) => Promise<TestResponse>;
  readonly run: (program: Program) => StartedProgram;
  start(name: 'web' | 'worker'): StartedProgram;
  /** Starts both, and waits until they take entries. */
  startBoth(): Promise<Record<'web' | 'worker', StartedProgram>>;
  /** Waits until `web` takes entries, and a worker runs. */
  waitUntilReady(): Promise<void>;
}

const files = { web: 'dist/api/main.js', worker: 'dist/workers/main.js' } as const;

/**
 * Prepares the processes before the tests of the enclosing `describe`, and ends them afterwards.
 * @param settings overrides the test environment. It is called when the tests start.
 */
export function useServiceProcesses(settings: () => Promise<Record<string, string>>): ServiceProcesses {
  const run = createProgramStarter();
  let environment: Record<string, string> = {};
  before(async () => {
    const defaults = { ...createTestEnvironment(), HOST: '127.0.0.1', PORT: String(await findFreePort()) };
    environment = { ...defaults, ...(await settings()) };
  });
  after(async () => {
    await dropDatabase(environment['MONGODB_URL'] ?? '');
    await deleteKeys(getTestServers().redisUrl, `${environment['REDIS_PREFIX']}:`);
  });
  const processes: ServiceProcesses = {
    get environment() {
      return environment;
    },
    get url() {
      return `http://127.0.0.1:${environment['PORT']}`;
    },
    headers: {},
    request: (method, path, options = {}) =>
      sendRequest(processes.url, method, path, { ...options, headers: { ...processes.headers, ...options.headers } }),
    run,
    start: (name) => run(builtProgram(files[name], environment)),
    startBoth: async () => {
      const both = { worker: processes.start('worker'), web: processes.start('web') };
      await processes.waitUntilReady();
      return both;
    },
    waitUntilReady: async () => {
      await waitUntil('the service to be ready', async () => {
        const ready = await processes.request('GET', '/health/ready?for=ingest').catch(() => undefined);
        return ready?.status === 200 && ready.body.checks.worker === 'up';
      });
    },
  };
  return processes;
}
