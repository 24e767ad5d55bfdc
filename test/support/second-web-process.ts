import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { Supervisor } from '../../scripts/local-stack/supervisor.ts';
import { isLongForm } from './long-form.ts';
import { builtProgram } from './test-build.ts';
import { sendRequest, startTestService, type TestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

export type WebProcess = Pick<TestService, 'request' | 'url'>;

/**
 * Starts a second `web` on the service's database and Redis. In the long form it is a compiled
 * program. In the short form it runs in this process, which costs a third of the processor time: it
 * has its own connections, and no cache of a `web` outlives its objects.
 * @returns both.
 */
export function startSecondWebProcess(service: TestService): readonly [WebProcess, WebProcess] {
  if (isLongForm) return [service, startFurtherProcesses(service, ['web'])];
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

export interface FurtherProcesses extends WebProcess {
  /** The log lines of the processes so far. */
  logs(): Promise<string>;
}

const programs = { web: 'dist/api/main.js', worker: 'dist/workers/main.js' } as const;

/** Starts further processes of a service, as compiled programs. */
export function startFurtherProcesses(
  service: Pick<TestService, 'environment'>,
  names: readonly (keyof typeof programs)[],
): FurtherProcesses {
  let url = '';
  let logsDirectory = '';
  let supervisor: Supervisor | undefined;

  before(async () => {
    logsDirectory = await mkdtemp(join(tmpdir(), 'meterbook-test-logs-'));
    const port = await findFreePort();
    const environment = { ...service.environment, HOST: '127.0.0.1', PORT: String(port) };
    supervisor = new Supervisor({
      services: names.map((name) => ({ name, program: builtProgram(programs[name], environment) })),
      logsDirectory,
      print: () => {},
    });
    await supervisor.start();
    url = `http://127.0.0.1:${port}`;
    const isUp = async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok ?? false;
    await waitUntil('the web process to respond', isUp);
  });
  after(async () => {
    await supervisor?.stop();
    await rm(logsDirectory, { recursive: true, force: true });
  });

  return {
    get url() {
      return url;
    },
    request: (method, path, options) => sendRequest(url, method, path, options),
    logs: () => readLogs(logsDirectory),
  };
}

/** The lines of all log files of a supervisor. */
export async function readLogs(directory: string): Promise<string> {
  const files = await readdir(directory);
  return (await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))).join('\n');
}
