import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { Supervisor } from '../../scripts/local-stack/supervisor.ts';
import { deleteKeys } from './redis-keys.ts';
import { builtProgram } from './test-build.ts';
import { dropDatabase } from './test-database.ts';
import { createTestEnvironment, type RequestOptions, sendRequest, type TestResponse } from './test-service.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/**
 * The service like in a deployment: `web` and `worker` are processes, and are restarted when they
 * are killed.
 */
export interface TestProcesses {
  environment: Record<string, string>;
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /**
   * Sends SIGKILL. The supervisor restarts the process. @returns false if the process is not
   * running.
   */
  kill(name: 'web' | 'worker'): boolean;
  /** The log lines of both processes so far. */
  logs(): Promise<string>;
  /** The lines that the supervisor of a local stack would print. */
  printed: string[];
  stop(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts the processes before the tests of the enclosing `describe`, and stops them afterwards.
 * @param settings overrides the test environment. A function is called when the tests start.
 */
export function startTestProcesses(
  settings: Record<string, string> | (() => Promise<Record<string, string>>) = {},
): TestProcesses {
  const printed: string[] = [];
  let environment: Record<string, string> = {};
  let url = '';
  let logsDirectory = '';
  let supervisor: Supervisor | undefined;

  const request = (method: string, path: string, options?: RequestOptions) => sendRequest(url, method, path, options);
  const start = async () => {
    supervisor = new Supervisor({ logsDirectory, print: (line) => printed.push(line) });
    await supervisor.start([
      { name: 'worker', program: builtProgram('dist/workers/main.js', environment) },
      { name: 'web', program: builtProgram('dist/api/main.js', environment), ready: () => waitUntilReady(url) },
    ]);
  };
  const stop = async () => {
    await supervisor?.stop();
  };

  before(async () => {
    logsDirectory = await mkdtemp(join(tmpdir(), 'meterbook-test-logs-'));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const overrides = typeof settings === 'function' ? await settings() : settings;
    environment = { ...createTestEnvironment(), PORT: String(port), HOST: '127.0.0.1', ...overrides };
    await start();
  });
  after(async () => {
    await stop();
    const { MONGODB_URL = '', REDIS_URL = '', REDIS_PREFIX = '' } = environment;
    await dropDatabase(MONGODB_URL);
    await deleteKeys(REDIS_URL, `${REDIS_PREFIX}:`);
    await rm(logsDirectory, { recursive: true, force: true });
  });

  return {
    get environment() {
      return environment;
    },
    request,
    printed,
    start,
    stop,
    kill: (name) => {
      const pid = supervisor?.processIds()[name];
      return pid !== undefined && process.kill(pid, 'SIGKILL');
    },
    logs: () => readLogs(logsDirectory),
  };
}

/** The lines of all log files of a supervisor. */
async function readLogs(directory: string): Promise<string> {
  const files = await readdir(directory);
  return (await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))).join('\n');
}
