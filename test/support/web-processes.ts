import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { Supervisor } from '../../scripts/local-stack/supervisor.ts';
import { builtProgram } from './test-build.ts';
import { sendRequest, type TestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

export type Web = Pick<TestService, 'request' | 'url'>;

/** `web` in two processes, on one database and one Redis: the service in this one, and another as it is deployed. */
export function twoWebProcesses(service: TestService): readonly [Web, Web] {
  let url = '';
  let logsDirectory = '';
  let supervisor: Supervisor | undefined;

  before(async function () {
    this.timeout(120_000);
    logsDirectory = await mkdtemp(join(tmpdir(), 'meterbook-test-logs-'));
    const port = await findFreePort();
    const environment = { ...service.environment, HOST: '127.0.0.1', PORT: String(port) };
    supervisor = new Supervisor({
      services: [{ name: 'web', program: builtProgram('dist/api/main.js', environment) }],
      logsDirectory,
      print: () => {},
    });
    await supervisor.start();
    url = `http://127.0.0.1:${port}`;
    const answers = async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok ?? false;
    await waitUntil('the web process', answers, 60_000);
  });
  after(async () => {
    await supervisor?.stop();
    await rm(logsDirectory, { recursive: true, force: true });
  });

  const other: Web = {
    get url() {
      return url;
    },
    request: (method, path, options) => sendRequest(url, method, path, options),
  };
  return [service, other];
}
