import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { Supervisor } from '../../scripts/local-stack/supervisor.ts';
import { deleteKeys } from './redis-keys.ts';
import { builtProgram } from './test-build.ts';
import { dropDatabase } from './test-database.ts';
import { type RequestOptions, sendRequest, type TestResponse, testEnvironment } from './test-service.ts';
import { untilReady } from './until-ready.ts';

/** The service as it is deployed: `web` and `worker` as processes of their own, restarted when they are killed. */
export interface TestProcesses {
  environment: Record<string, string>;
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Kills a process with SIGKILL; the supervisor starts it again. @returns false when it is not running just now. */
  kill(name: 'web' | 'worker'): boolean;
  /** All that both processes have written so far. */
  logs(): Promise<string>;
  /** What a supervisor of the local stack would have shown to a person. */
  said: string[];
  stop(): Promise<void>;
  start(): Promise<void>;
}

/**
 * For the tests of the enclosing `describe`; started before them.
 * @param settings what differs from the environment of tests; a function is called when the tests begin.
 */
export function testProcesses(
  settings: Record<string, string> | (() => Promise<Record<string, string>>) = {},
): TestProcesses {
  const said: string[] = [];
  let environment: Record<string, string> = {};
  let url = '';
  let logsDirectory = '';
  let supervisor: Supervisor | undefined;

  const request = (method: string, path: string, options?: RequestOptions) => sendRequest(url, method, path, options);
  const start = async () => {
    supervisor = new Supervisor({
      services: [
        { name: 'worker', program: builtProgram('dist/workers/main.js', environment) },
        { name: 'web', program: builtProgram('dist/api/main.js', environment), ready: () => untilReady(url) },
      ],
      logsDirectory,
      print: (line) => said.push(line),
    });
    await supervisor.start();
  };
  const stop = async () => {
    await supervisor?.stop();
  };

  before(async function () {
    this.timeout(120_000);
    logsDirectory = await mkdtemp(join(tmpdir(), 'meterbook-test-logs-'));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const own = typeof settings === 'function' ? await settings() : settings;
    environment = { ...testEnvironment(), PORT: String(port), HOST: '127.0.0.1', ...own };
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
    said,
    start,
    stop,
    kill: (name) => {
      const pid = supervisor?.processIds()[name];
      return pid !== undefined && process.kill(pid, 'SIGKILL');
    },
    logs: async () => {
      const files = await readdir(logsDirectory);
      return (await Promise.all(files.map((file) => readFile(join(logsDirectory, file), 'utf8')))).join('\n');
    },
  };
}
