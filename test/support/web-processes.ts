import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { typescriptProgram } from '../../scripts/local-stack/services.ts';
import { Supervisor } from '../../scripts/local-stack/supervisor.ts';
import { sendRequest, type TestService } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

export type Web = Pick<TestService, 'request' | 'url'>;

/** `web` as it is deployed, as two processes of their own, on the service's database and Redis. */
export function twoWebProcesses(service: TestService): readonly [Web, Web] {
  const urls: string[] = [];
  let logsDirectory = '';
  let supervisor: Supervisor | undefined;

  before(async function () {
    this.timeout(120_000);
    logsDirectory = await mkdtemp(join(tmpdir(), 'meterbook-test-logs-'));
    const { PATH = '' } = process.env;
    const ports = [await findFreePort(), await findFreePort()];
    supervisor = new Supervisor({
      services: ports.map((port) => ({
        name: `web on ${port}`,
        program: typescriptProgram('api/main.ts', {
          ...service.environment,
          PATH,
          HOST: '127.0.0.1',
          PORT: String(port),
        }),
      })),
      logsDirectory,
      print: () => {},
    });
    await supervisor.start();
    urls.push(...ports.map((port) => `http://127.0.0.1:${port}`));
    await Promise.all(
      urls.map((url) =>
        waitUntil(
          'a web process',
          async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok ?? false,
          60_000,
        ),
      ),
    );
  });
  after(async () => {
    await supervisor?.stop();
    await rm(logsDirectory, { recursive: true, force: true });
  });

  const web = (index: number): Web => ({
    get url() {
      return urls[index] ?? '';
    },
    request: (method, path, options) => sendRequest(urls[index] ?? '', method, path, options),
  });
  return [web(0), web(1)];
}
