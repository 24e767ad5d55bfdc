import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findFreePort } from '../../../scripts/local-stack/free-port.ts';
import { isLongForm } from '../../support/long-form.ts';
import { findProcessesByCommand, isRunning } from '../../support/process-table.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type RunningStack, stackServices, startStack, waitUntilUp } from './running-stack.ts';

const execute = promisify(execFile);
const demoProgram = fileURLToPath(new URL('../../../scripts/demo.mjs', import.meta.url));

interface Login {
  user: { email: string; role: string };
}

// The tests use one stack, in their order, because a start takes seconds.
describe('the local stack', () => {
  let folder = '';
  let port = '';
  let stack: RunningStack;
  let scenarioId = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meterbook-test-'));
    port = String(await findFreePort());
    stack = start();
    await waitUntilUp(stack);
  });
  after(async () => {
    stack.process.kill('SIGTERM');
    await stack.ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const dataDirectory = () => join(folder, 'data');
  // An entry gets its response once it is counted, also on a slow machine.
  const start = () => startStack({ PORT: port, DATA_DIR: dataDirectory(), INGEST_WAIT_MS: '120000' });
  const worker = async () => {
    const workers = await findProcessesByCommand('workers/main.js');
    return (await stack.children()).find((pid) => workers.includes(pid));
  };
  async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const headers = { 'content-type': 'application/json', 'x-scenario-id': scenarioId };
    const response = await fetch(`${stack.url}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: await response.json() };
  }
  const ingest = async () => (await send('POST', '/ingest', { message: 'a line of a log' })).status;
  const countedLogs = async () => {
    const { body } = await send('GET', `/api/v1/scenarios/${scenarioId}/metrics`);
    return (body as { totals: { logs: number } }).totals.logs;
  };

  /** The account of the address and the password that the stack has printed. */
  async function printedAdmin() {
    const [, email, password] = /^ {2}Admin +(\S+), password (\S+)$/m.exec(stack.output()) ?? [];
    return ((await send('POST', '/api/v1/auth/login', { email, password })).body as Login).user;
  }

  it('prints its addresses and folders', async () => {
    const secrets = JSON.parse(await readFile(join(dataDirectory(), 'secrets.json'), 'utf8')) as Record<string, string>;
    for (const text of [
      `${stack.url}/health/ready?for=all`,
      `${stack.url}/docs`,
      `${stack.url}/openapi.json`,
      `${stack.url}/admin/queues  (user admin, password ${secrets.DASHBOARD_PASSWORD})`,
      dataDirectory(),
      join(dataDirectory(), 'logs'),
      `PORT=${port} npm run demo`,
    ]) {
      expect(stack.output()).to.contain(text);
    }
    expect(stack.output().match(/^ {2}(?:ID=\$\()?curl -s/gm)).to.have.length(3);
  });

  it('prints the user and the password of the dashboard', async () => {
    const [, password = ''] = /password (\S+)\)/.exec(stack.output()) ?? [];
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    expect((await fetch(`${stack.url}/admin/queues`, { headers: { authorization } })).status).to.equal(200);
    expect((await fetch(`${stack.url}/admin/queues`)).status).to.equal(401);
  });

  it('creates its admin at the first start, and prints its address and password', async () => {
    const account = { email: 'me@example.com', password: 'a password of tests' };
    const registered = await send('POST', '/api/v1/auth/register', account);
    expect((registered.body as Login).user.role).to.equal('member');
    expect(await printedAdmin()).to.include({ email: 'admin@example.com', role: 'admin' });
  });

  it('writes the log of every process to a file', async () => {
    const logs = join(dataDirectory(), 'logs');
    expect((await readdir(logs)).sort()).to.deep.equal(stackServices.map((name) => `${name}.log`));
    for (const name of await readdir(logs)) {
      await waitUntil(`a line in ${name}`, async () => (await stat(join(logs, name))).size > 0);
    }
  });

  it('keeps its files from other users of the machine', async () => {
    const files = await readdir(dataDirectory(), { recursive: true });
    expect(files).to.include.members([
      'secrets.json',
      ...(stackServices.includes('redis') ? [join('redis', 'redis.conf')] : []),
    ]);
    for (const file of ['.', ...files]) {
      // Redis replaces its files while they are listed.
      const found = await stat(join(dataDirectory(), file)).catch(() => undefined);
      if (found) expect(found.mode & 0o077, file).to.equal(0);
    }
  });

  it('counts a log entry', async () => {
    const created = await send('POST', '/api/v1/scenarios', { name: 'Stack', region: 'eu-west-1' });
    scenarioId = (created.body as { id: string }).id;
    expect((await send('POST', `/api/v1/scenarios/${scenarioId}/start`)).status).to.equal(200);
    expect(await ingest()).to.equal(200);
    expect(await countedLogs()).to.equal(1);
  });

  // stack-lock.test.ts, preflight.test.ts and supervisor.test.ts check these sentences without
  // starting a stack, and demo-credentials.test.ts runs the demo with a service of its process.
  if (isLongForm) {
    it('reports a killed worker by name, and restarts it', async () => {
      const killed = await waitUntil('the worker', worker);
      process.kill(killed, 'SIGKILL');
      await waitUntil('the report', () =>
        stack.output().includes('worker stopped (killed by SIGKILL), restarting in 0.2 s'),
      );
      await waitUntil('another worker', async () => ((await worker()) ?? killed) !== killed);
      await ingest();
      await waitUntil('the second entry', async () => (await countedLogs()) === 2);
    });

    it('refuses a second start on the same data folder, in one sentence', async () => {
      const second = startStack({ PORT: String(await findFreePort()), DATA_DIR: dataDirectory() });
      expect(await second.ended).to.equal(1);
      expect(second.output()).to.match(/^A stack is already running on the data folder .* \(process \d+, http.*\n$/);
    });

    it('runs the demo', async () => {
      const { stdout } = await execute(process.execPath, [demoProgram, '--url', stack.url, '--lines', '300']);
      expect(stdout)
        .to.match(/^\$\d.* for these 300 entries; about /m)
        .and.to.contain('Batch of 50');
    });

    it('refuses a second start on the same port, in one sentence', async () => {
      const second = startStack({ PORT: port, DATA_DIR: join(folder, 'other') });
      expect(await second.ended).to.equal(1);
      expect(second.output()).to.match(new RegExp(`^PORT ${port} is in use by another program.*\\n$`));
    });

    it('prints the sentence of a process that refuses its configuration', async () => {
      const other = join(folder, 'third');
      await mkdir(other);
      const environment = { PORT: String(await findFreePort()), DATA_DIR: other, SERVICE_SECRET: 'too short' };
      const second = startStack(environment);
      expect(await second.ended).to.equal(1);
      expect(second.output()).to.match(/^Configuration: .*SERVICE_SECRET.*\n$/);
      expect(await findProcessesByCommand(other)).to.deep.equal([]);
    });
  }

  it('stops all processes at one Ctrl-C', async () => {
    const children = await stack.children();
    // The services, the watchdog, and the compiler processes of TypeScript.
    expect(children).to.have.length.of.at.least(stackServices.length + 1);
    stack.process.kill('SIGINT');
    // npm forwards the signal that the terminal has already sent.
    stack.process.kill('SIGINT');
    expect(await stack.ended).to.equal(0);
    expect(stack.output()).to.match(/Stopping…\nStopped\.\n$/);
    // Its own children have ended by then; the compiler processes end when their parent has.
    for (const pid of children) await waitUntil(`the end of process ${pid}`, async () => !(await isRunning(pid)));
  });

  // Without the second start, for which the short form has no time, supervisor.test.ts shows that
  // no process is left.
  if (isLongForm) {
    it('has its data after the next start', async () => {
      stack = start();
      await waitUntilUp(stack);
      expect(await countedLogs()).to.equal(2);
      expect(await ingest()).to.equal(200);
      expect(await countedLogs()).to.equal(3);
      expect(await printedAdmin()).to.include({ email: 'admin@example.com', role: 'admin' });
    });

    it('leaves no process running when it is killed', async () => {
      const children = await stack.children();
      expect(children).to.have.length.of.at.least(stackServices.length + 1);
      stack.process.kill('SIGKILL');
      await stack.ended;
      for (const pid of children) await waitUntil(`the end of process ${pid}`, async () => !(await isRunning(pid)));
    });
  }
});
