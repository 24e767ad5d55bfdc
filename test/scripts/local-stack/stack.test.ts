import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { findFreePort } from '../../../scripts/local-stack/free-port.ts';
import { isLongForm } from '../../support/long-form.ts';
import { findChildProcesses, isRunning } from '../../support/process-table.ts';
import { getTestServers, withDatabase } from '../../support/test-servers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const startProgram = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

/** The program of `npm start` as a child process. */
interface RunningStack {
  url: string;
  process: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** The exit code, once the process has ended. */
  ended: Promise<number | null>;
  /** The ids of the processes that it has started. */
  children(): Promise<number[]>;
}

const { MONGODB_URL, REDIS_URL } = process.env;

/** The services that a stack starts: without a database or Redis if the environment names one. */
const stackServices = [
  'notebooks',
  ...(REDIS_URL ? [] : ['redis']),
  ...(MONGODB_URL ? [] : ['store']),
  'web',
  'worker',
];

/** Starts a local stack without waiting for it. On given servers it uses names of this process. */
function startStack(environment: { PORT: string; DATA_DIR: string } & Record<string, string>): RunningStack {
  const name = `${getTestServers().prefix}_stack`;
  const servers = {
    MONGODB_URL: MONGODB_URL ? withDatabase(MONGODB_URL, name) : '',
    ...(REDIS_URL ? { REDIS_PREFIX: name } : { REDIS_URL: '' }),
  };
  const child = spawn(process.execPath, [startProgram], {
    env: { ...process.env, ...servers, NOTEBOOK_BACKEND_URL: '', HOST: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return {
    url: `http://127.0.0.1:${environment.PORT}`,
    process: child,
    output: () => output,
    ended: once(child, 'close').then(([code]) => code as number | null),
    children: () => findChildProcesses(child.pid ?? 0),
  };
}

/**
 * Waits until the stack has printed its banner. @throws Error with its output if it ends before.
 */
async function waitUntilUp(stack: RunningStack): Promise<void> {
  await waitUntil('the stack to start', () => {
    if (stack.process.exitCode !== null) throw new Error(`The stack ended: ${stack.output()}`);
    // The last line of the banner.
    return stack.output().includes('npm run demo');
  });
}

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

  it('prints its addresses and folders, and a password of the dashboard that works', async () => {
    const secrets = JSON.parse(await readFile(join(dataDirectory(), 'secrets.json'), 'utf8')) as Record<string, string>;
    for (const text of [
      `${stack.url}/health/ready?for=all`,
      `${stack.url}/docs`,
      `${stack.url}/openapi.json`,
      `${stack.url}/admin/queues  (user admin, password ${secrets.DASHBOARD_PASSWORD})`,
      dataDirectory(),
      join(dataDirectory(), 'logs'),
      `npm run demo -- --url ${stack.url}`,
    ]) {
      expect(stack.output()).to.contain(text);
    }
    const authorization = `Basic ${Buffer.from(`admin:${secrets.DASHBOARD_PASSWORD}`).toString('base64')}`;
    expect((await fetch(`${stack.url}/admin/queues`, { headers: { authorization } })).status).to.equal(200);
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

  // supervisor.test.ts checks most of these without starting a stack.
  if (isLongForm) {
    it('refuses a second start on the same port, and prints the sentence of a process that refuses its configuration', async () => {
      const other = join(folder, 'other');
      const seconds = [
        startStack({ PORT: port, DATA_DIR: other }),
        startStack({
          PORT: String(await findFreePort()),
          DATA_DIR: join(folder, 'third'),
          SERVICE_SECRET: 'too short',
        }),
      ];
      for (const second of seconds) expect(await second.ended).to.equal(1);
      expect(seconds[0]?.output()).to.match(new RegExp(`^PORT ${port} is in use by another program.*\\n$`));
      expect(seconds[1]?.output()).to.match(/^Configuration: .*SERVICE_SECRET.*\n$/);
    });
  }

  it('stops all processes at one Ctrl-C', async () => {
    const children = await stack.children();
    // The services, and a shell for each that ends it with the stack.
    expect(children).to.have.length.of.at.least(2 * stackServices.length);
    stack.process.kill('SIGINT');
    // npm forwards the signal that the terminal has already sent.
    stack.process.kill('SIGINT');
    expect(await stack.ended).to.equal(0);
    expect(stack.output()).to.match(/Stopping…\nStopped\.\n$/);
    for (const pid of children) await waitUntil(`the end of process ${pid}`, async () => !(await isRunning(pid)));
  });

  if (isLongForm) {
    it('has its data after the next start, and leaves no process running when it is killed', async () => {
      stack = start();
      await waitUntilUp(stack);
      expect(await countedLogs()).to.equal(1);
      expect(await printedAdmin()).to.include({ email: 'admin@example.com', role: 'admin' });
      const children = await stack.children();
      stack.process.kill('SIGKILL');
      await stack.ended;
      for (const pid of children) await waitUntil(`the end of process ${pid}`, async () => !(await isRunning(pid)));
    });
  }
});
