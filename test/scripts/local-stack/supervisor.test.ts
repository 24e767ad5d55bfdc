import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Service, Supervisor } from '../../../scripts/local-stack/supervisor.ts';
import { second } from '../../../shared/durations.ts';
import { StartError } from '../../../shared/errors.ts';
import { isRunning } from '../../support/process-table.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const child = (name: string) => fileURLToPath(new URL(`./children/${name}`, import.meta.url));

describe('supervisor', () => {
  const folder = createTemporaryFolder();
  let printed: string[] = [];
  let supervisor = createSupervisor();

  function createSupervisor(limits: { readyLimitMs?: number; stopLimitMs?: number } = {}) {
    const logsDirectory = join(folder.path, 'logs');
    return new Supervisor({ logsDirectory, print: (line) => printed.push(line), ...limits });
  }
  beforeEach(() => {
    printed = [];
    supervisor = createSupervisor();
  });
  afterEach(() => supervisor.stop());

  const journal = async () =>
    (await readFile(join(folder.path, 'journal'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const wrote = (line: string) => waitUntil(line, async () => (await journal()).includes(line));
  const logOf = (name: string) => join(folder.path, 'logs', `${name}.log`);

  function service(name: string): Service {
    const args = [child('report-order.mjs'), name, join(folder.path, 'journal')];
    const ready = async () => void (await wrote(`${name} start`));
    return { name, program: { command: process.execPath, args, environment: {} }, ready };
  }
  function script(name: string, code: string): Service {
    return { name, program: { command: process.execPath, args: ['-e', code], environment: {} } };
  }
  const neverReady = (own: Service): Service => ({ ...own, ready: () => new Promise(() => {}) });

  it('starts each service once the previous one is ready, and stops them in reverse order', async () => {
    await supervisor.start([service('redis'), service('store'), service('web')]);
    await supervisor.stop();
    const starts = ['redis start', 'store start', 'web start'];
    expect(await journal()).to.deep.equal([...starts, 'web stop', 'store stop', 'redis stop']);
    expect(printed).to.deep.equal([]);
  });

  it('reports a killed service by name and restarts it, but not during the stop', async () => {
    await supervisor.start([service('redis'), service('worker')]);
    const { worker = 0, redis } = supervisor.processIds();
    process.kill(worker, 'SIGKILL');
    const again = await waitUntil('a new worker', () => {
      const { worker: found } = supervisor.processIds();
      return found === worker ? undefined : found;
    });
    expect(printed).to.deep.equal(['worker stopped (killed by SIGKILL), restarting in 0.5 s']);
    expect(supervisor.processIds().redis).to.equal(redis);
    await waitUntil('its start', async () => (await journal()).filter((line) => line === 'worker start').length === 2);
    process.kill(again, 'SIGKILL');
    await waitUntil('the report', () => printed.length === 2);
    await supervisor.stop();
    expect(supervisor.processIds()).to.deep.equal({});
    expect((await journal()).filter((line) => line === 'worker start')).to.have.length(2);
  });

  it('kills a service that does not stop, and reports it', async () => {
    supervisor = createSupervisor({ stopLimitMs: 100 });
    await supervisor.start([service('ignore-sigterm')]);
    const { 'ignore-sigterm': pid = 0 } = supervisor.processIds();
    await supervisor.stop();
    expect(printed).to.deep.equal(['ignore-sigterm did not stop within 0.1 s and is killed']);
    expect(await isRunning(pid)).to.equal(false);
  });

  it('kills the processes that a crashed service had started', async () => {
    const code = `const { pid } = require('node:child_process').spawn('sleep', ['600']); console.log('grandchild ' + pid); setInterval(() => {}, 1e5)`;
    await supervisor.start([script('worker', code), service('last')]);
    const grandchild = await waitUntil(
      'the grandchild',
      async () => /grandchild (\d+)/.exec(await readFile(logOf('worker'), 'utf8'))?.[1],
    );
    expect(await isRunning(Number(grandchild))).to.equal(true);
    process.kill(supervisor.processIds().worker ?? 0, 'SIGKILL');
    await waitUntil('its end', async () => !(await isRunning(Number(grandchild))));
  });

  it('ends a start that is interrupted', async () => {
    const reason = new Error('interrupted');
    const starting = supervisor.start([service('redis'), neverReady(service('web'))], AbortSignal.abort(reason));
    expect(await starting.catch((error: unknown) => error)).to.equal(reason);
    const later = new AbortController();
    void wrote('web start').then(() => later.abort(reason));
    const interrupted = supervisor.start([service('redis'), neverReady(service('web'))], later.signal);
    expect(await interrupted.catch((error: unknown) => error)).to.equal(reason);
    await supervisor.stop();
    expect((await journal()).slice(2)).to.deep.equal(['web stop', 'redis stop']);
  });

  const failures: Record<string, [own: () => Service, sentence: RegExp]> = {
    'ends during its start': [
      () => script('worker', 'process.exit(7)'),
      /^worker stopped at start \(exit code 7\), see .*worker\.log\.$/,
    ],
    'does not exist': [
      () => ({ name: 'redis', program: { command: '/no/such/program', args: [], environment: {} } }),
      /^redis stopped at start \(.*ENOENT\)/,
    ],
    'is not ready in time': [() => service('web'), /^web was not ready within 1 s, see /],
  };
  for (const [what, [own, sentence]] of Object.entries(failures)) {
    it(`names a service that ${what}, and stops the others`, async () => {
      supervisor = createSupervisor({ readyLimitMs: second });
      const error = await supervisor.start([service('first'), neverReady(own())]).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(StartError);
      expect((error as Error).message).to.match(sentence);
      await supervisor.stop();
      expect((await journal()).at(-1)).to.equal('first stop');
    });
  }

  it('leaves no service running when its own process is killed', async () => {
    const parent = fork(child('supervising.ts'), [folder.path], { execArgv: ['--import', 'tsx'] });
    const [pids] = (await once(parent, 'message')) as [Record<string, number>];
    expect(Object.keys(pids)).to.have.length(3);
    // These services have no ready check, so they start in any order.
    for (const name of Object.keys(pids)) await wrote(`${name} start`);
    parent.kill('SIGKILL');
    for (const pid of Object.values(pids)) await waitUntil('its end', async () => !(await isRunning(pid)));
    expect((await journal()).slice(3)).to.have.members(['first stop', 'second stop']);
  });

  it('the output of a service is in its log file, and printed if it is a warning, an error, or a line that is not JSON', async () => {
    const lines = [
      '{"level":"info","message":"listening"}',
      '{"level":"warn","message":"Redis is unreachable","error":{"message":"connect ECONNREFUSED"}}',
      '{"level":"warn","message":"request refused","reason":"The queue is unreachable."}',
      '(node:12) Warning: old option',
      '{"cut off',
    ];
    const text = lines.map((line) => `${line}\n`).join('');
    for (const _ of ['first', 'second']) {
      await supervisor.start([
        script('worker', `process.stdout.write(${JSON.stringify(text)}); setInterval(() => {}, 1e5)`),
      ]);
      await waitUntil('the lines', async () => (await readFile(logOf('worker'), 'utf8')) === text);
      await supervisor.stop();
      supervisor = createSupervisor();
    }
    expect(await readFile(`${logOf('worker')}.1`, 'utf8')).to.equal(text);
    expect(printed.slice(0, 4)).to.deep.equal([
      '[worker] Redis is unreachable: connect ECONNREFUSED',
      '[worker] request refused: The queue is unreachable.',
      '[worker] (node:12) Warning: old option',
      '[worker] {"cut off',
    ]);
  });
});
