import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { StackError } from '../../../scripts/local-stack/stack-error.ts';
import { type Service, Supervisor, type SupervisorOptions } from '../../../scripts/local-stack/supervisor.ts';
import { isRunning } from '../../support/process-table.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const child = (name: string) => fileURLToPath(new URL(`./children/${name}`, import.meta.url));
const restarting = /^(\w+) stopped \((.+)\), restarting in ([\d.]+) s$/;

describe('supervisor', () => {
  const folder = createTemporaryFolder();
  let printed: string[] = [];
  let supervisor: Supervisor | undefined;

  beforeEach(() => {
    printed = [];
  });
  afterEach(() => supervisor?.stop());

  function supervise(services: Service[], more: Partial<SupervisorOptions> = {}): Supervisor {
    const print = (line: string) => printed.push(line);
    supervisor = new Supervisor({ services, logsDirectory: join(folder.path, 'logs'), print, ...more });
    return supervisor;
  }
  const journalFile = () => join(folder.path, 'journal');
  const journal = async () => (await readFile(journalFile(), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const wrote = (line: string) => waitUntil(line, async () => (await journal()).includes(line));

  function service(name: string, mode = ''): Service {
    const args = [child('report-order.mjs'), name, journalFile(), mode];
    const ready = async () => void (await wrote(`${name} start`));
    return { name, program: { command: process.execPath, args, environment: {} }, ready };
  }
  function script(name: string, code: string): Service {
    return { name, program: { command: process.execPath, args: ['-e', code], environment: {} } };
  }
  const neverReady = (name: string): Service => ({ ...service(name), ready: () => new Promise(() => {}) });
  const endFile = () => join(folder.path, 'end');
  const requestEnd = () => writeFile(endFile(), '');
  function endsOnRequest(name: string, code: number): Service {
    const wait = `const wait = () => require('node:fs').existsSync(${JSON.stringify(endFile())}) ? process.exit(${code}) : setTimeout(wait, 10); wait()`;
    return script(name, wait);
  }
  async function startErrorOf(running: Supervisor): Promise<string> {
    const error = await running.start().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(StackError);
    return (error as Error).message;
  }

  it('starts each service once the previous one is ready, and stops them in reverse order', async () => {
    const running = supervise([service('redis'), service('store'), service('web')]);
    await running.start();
    await running.stop();
    expect(await journal()).to.deep.equal([
      'redis start',
      'store start',
      'web start',
      'web stop',
      'store stop',
      'redis stop',
    ]);
    expect(printed).to.deep.equal([]);
  });

  it('reports a crash by name and restarts the service', async () => {
    const running = supervise([service('redis'), service('worker')]);
    await running.start();
    const { worker = 0, redis } = running.processIds();
    process.kill(worker, 'SIGKILL');
    await waitUntil('the report', () => printed.length > 0);
    expect(printed).to.deep.equal(['worker stopped (killed by SIGKILL), restarting in 0.2 s']);
    const again = await waitUntil('a new worker', () => running.processIds().worker);
    expect(again).not.to.equal(worker);
    expect(running.processIds().redis).to.equal(redis);
  });

  it('reports the exit code of a service that ended by itself', async () => {
    await supervise([endsOnRequest('worker', 3)]).start();
    await requestEnd();
    await waitUntil('the report', () => printed.length > 0);
    expect(printed[0]).to.equal('worker stopped (exit code 3), restarting in 0.2 s');
  });

  it('doubles the delay after every further crash', async () => {
    await supervise([endsOnRequest('worker', 1)]).start();
    await requestEnd();
    await waitUntil('four crashes', () => printed.length >= 4);
    expect(printed.slice(0, 4).map((line) => restarting.exec(line)?.[3])).to.deep.equal(['0.2', '0.4', '0.8', '1.6']);
  });

  it('does not restart a crashed service during the stop', async () => {
    const running = supervise([service('worker')]);
    await running.start();
    process.kill(running.processIds().worker ?? 0, 'SIGKILL');
    await waitUntil('the report', () => printed.length > 0);
    await running.stop();
    expect(running.processIds()).to.deep.equal({});
    expect((await journal()).filter((line) => line === 'worker start')).to.have.length(1);
  });

  it('kills a service that does not stop, and reports it', async () => {
    const running = supervise([service('worker', 'ignore-sigterm')], { stopLimitMs: 100 });
    await running.start();
    const pid = running.processIds().worker ?? 0;
    await running.stop();
    expect(printed).to.deep.equal(['worker did not stop within 0.1 s and is killed']);
    expect(await isRunning(pid)).to.equal(false);
  });

  it('kills all services at once', async () => {
    const running = supervise([service('redis', 'ignore-sigterm'), service('worker', 'ignore-sigterm')]);
    await running.start();
    const pids = Object.values(running.processIds());
    const stopped = running.stop();
    running.kill();
    await stopped;
    for (const pid of pids) expect(await isRunning(pid)).to.equal(false);
  });

  it('kills the processes that a crashed service had started', async () => {
    const code = `const { pid } = require('node:child_process').spawn('sleep', ['600']); console.log('grandchild ' + pid); setInterval(() => {}, 1e5)`;
    const running = supervise([script('worker', code), service('last')]);
    await running.start();
    const log = join(folder.path, 'logs', 'worker.log');
    const grandchild = await waitUntil(
      'the grandchild',
      // The file is created when the service starts.
      async () => /grandchild (\d+)/.exec(await readFile(log, 'utf8').catch(() => ''))?.[1],
    );
    expect(await isRunning(Number(grandchild))).to.equal(true);
    process.kill(running.processIds().worker ?? 0, 'SIGKILL');
    await waitUntil('its end', async () => !(await isRunning(Number(grandchild))));
  });

  describe('when a service does not start', () => {
    it('fails with the sentence that the service has printed, and stops the others', async () => {
      const sentence = 'SERVICE_SECRET must be 64 hexadecimal digits.';
      const code = `process.stderr.write(${JSON.stringify(`${sentence}\n`)}); process.exit(1)`;
      const running = supervise([service('redis'), script('worker', code), neverReady('web')]);
      expect(await startErrorOf(running)).to.equal(sentence);
      await running.stop();
      expect((await journal()).at(-1)).to.equal('redis stop');
    });

    it('fails with one sentence for a stack trace, with the path of the log file', async () => {
      const running = supervise([script('worker', 'throw new TypeError("gone")'), neverReady('web')]);
      const log = join(folder.path, 'logs', 'worker.log');
      expect(await startErrorOf(running)).to.equal(`TypeError: gone (see ${log})`);
      expect(await readFile(log, 'utf8')).to.contain('    at ');
    });

    it('names a service that ended without a message', async () => {
      const running = supervise([script('worker', 'process.exit(7)'), neverReady('web')]);
      expect(await startErrorOf(running)).to.match(/^worker stopped at start \(exit code 7\), see .*worker\.log\.$/);
    });

    it('names a program that does not exist', async () => {
      const missing = { command: join(folder.path, 'no-such-program'), args: [], environment: {} };
      const running = supervise([{ name: 'redis', program: missing }, neverReady('web')]);
      expect(await startErrorOf(running)).to.match(/^redis stopped at start \(.*ENOENT\)/);
    });

    it('names a service that is not ready in time', async () => {
      expect(await startErrorOf(supervise([neverReady('web')], { readyLimitMs: 100 }))).to.match(
        /^web was not ready within 0\.1 s, see /,
      );
    });
  });

  it('leaves no service running when its own process is killed', async () => {
    const parent = fork(child('supervising.ts'), [folder.path], { execArgv: ['--import', 'tsx'] });
    const [pids] = (await once(parent, 'message')) as [Record<string, number>];
    expect(Object.keys(pids)).to.deep.equal(['first', 'second', 'third']);
    for (const pid of Object.values(pids)) expect(await isRunning(pid)).to.equal(true);
    // These services have no ready check, so they start in any order.
    for (const name of Object.keys(pids)) await wrote(`${name} start`);
    parent.kill('SIGKILL');
    await wrote('first stop');
    expect((await journal()).slice(3)).to.deep.equal(['third stop', 'second stop', 'first stop']);
    for (const pid of Object.values(pids)) await waitUntil('its end', async () => !(await isRunning(pid)));
  });
});
