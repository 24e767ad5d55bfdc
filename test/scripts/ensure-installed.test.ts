import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  findRedisServer,
  type Machine,
  matchesLock,
  nodeVersionError,
  redisInstallCommand,
  redisInstallPlan,
} from '../../scripts/ensure-installed.mjs';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

interface LockEntry {
  optionalDependencies?: Record<string, string>;
}

const lockFile = new URL('../../package-lock.json', import.meta.url);
const execute = promisify(execFile);
const program = fileURLToPath(new URL('../../scripts/ensure-installed.mjs', import.meta.url));

const lock = (packages: Record<string, object>) =>
  JSON.stringify({ packages: { '': { name: 'meterbook' }, ...packages } });
const koa = { version: '3.3.0', integrity: 'sha512-a' };

function machine(commands: readonly string[], more: Partial<Machine> = {}): Machine {
  return { platform: 'linux', isRoot: false, has: (command) => commands.includes(command), ...more };
}

describe('ensure-installed', () => {
  const folder = createTemporaryFolder();

  it('accepts Node.js 20.19 and later', () => {
    for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.1.0'])
      expect(nodeVersionError(version), version).to.equal(undefined);
  });

  it('refuses an older Node.js in one sentence with both versions', () => {
    for (const version of ['20.18.3', '18.20.0', '9.0.0']) {
      expect(nodeVersionError(version)).to.match(new RegExp(`^Node\\.js ${version} .*20\\.19.*\\.$`));
    }
  });

  describe('npm packages', () => {
    it('packages are complete when every package of the lock file is installed in its version', () => {
      expect(matchesLock(lock({ 'node_modules/koa': koa }), lock({ 'node_modules/koa': koa }))).to.equal(true);
    });

    it('packages are complete without the binaries of other platforms', () => {
      const wanted = lock({ 'node_modules/koa': koa, 'node_modules/x-arm64': { version: '1.0.0', optional: true } });
      expect(matchesLock(wanted, lock({ 'node_modules/koa': koa }))).to.equal(true);
    });

    it('packages are missing when no package or not every package is installed, or a version or content differs', () => {
      const wanted = lock({ 'node_modules/koa': koa });
      expect(matchesLock(wanted, '')).to.equal(false);
      expect(matchesLock(wanted, lock({}))).to.equal(false);
      expect(matchesLock(wanted, lock({ 'node_modules/koa': { ...koa, version: '3.2.0' } }))).to.equal(false);
      expect(matchesLock(wanted, lock({ 'node_modules/koa': { ...koa, integrity: 'sha512-b' } }))).to.equal(false);
    });

    it('packages are all in the lock file, including those of other platforms, as npm ci requires', async () => {
      const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as { packages: Record<string, LockEntry> };
      const named = (path: string, name: string) =>
        `${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages;
      const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter((name) => !named(path, name)),
      );
      expect(missing).to.deep.equal([]);
    });

    it('packages of the document store are left out with --omit=dev', async () => {
      const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as { packages: Record<string, LockEntry> };
      expect(packages['node_modules/lmdb']).to.include({ dev: true });
    });

    it('packages are missing when the record of the installation is damaged', () => {
      expect(matchesLock(lock({}), '{"packages":')).to.equal(false);
    });
  });

  describe('redis-server', () => {
    it('is installed by apt-get for root, or with sudo if it needs no password', () => {
      expect(redisInstallPlan(machine(['apt-get', 'dpkg'], { isRoot: true }))).to.deep.equal({
        kind: 'apt-get',
        prefix: [],
      });
      expect(redisInstallPlan(machine(['apt-get', 'dpkg', 'sudo']))).to.deep.equal({
        kind: 'apt-get',
        prefix: ['sudo', '-n'],
      });
      expect(redisInstallCommand({ kind: 'apt-get', prefix: ['sudo', '-n'] }, '')).to.equal(
        'sudo -n apt-get install -y --no-install-recommends redis-server',
      );
    });

    it('is unpacked for an ordinary user', () => {
      const plan = redisInstallPlan(machine(['apt-get', 'dpkg']));
      expect(plan).to.deep.equal({ kind: 'unpack' });
      expect(redisInstallCommand(plan, '/data/tools')).to.match(/^apt-get download .* dpkg -x into \/data\/tools$/);
    });

    it('is installed by brew on macOS', () => {
      expect(redisInstallPlan(machine(['brew'], { platform: 'darwin' }))).to.deep.equal({ kind: 'brew' });
    });

    it('is requested in one sentence where it cannot be installed', () => {
      for (const platform of ['linux', 'darwin', 'win32']) {
        const plan = redisInstallPlan(machine([], { platform }));
        if (plan.kind !== 'impossible') throw new Error(`${platform}: ${plan.kind}`);
        expect(plan.sentence).to.match(/^redis-server is not installed.* REDIS_URL to a running Redis\.$/);
      }
    });

    it('is found on the PATH, as Valkey too, else in the data folder with its libraries', async () => {
      const bin = join(folder.path, 'bin');
      const unpacked = join(folder.path, 'tools', 'redis', 'usr');
      await mkdir(bin);
      expect(findRedisServer(folder.path, bin)).to.equal(undefined);

      await mkdir(join(unpacked, 'bin'), { recursive: true });
      await mkdir(join(unpacked, 'lib', 'x86_64-linux-gnu'), { recursive: true });
      await writeFile(join(unpacked, 'bin', 'redis-server'), '', { mode: 0o755 });
      expect(findRedisServer(folder.path, bin)).to.deep.equal({
        command: join(unpacked, 'bin', 'redis-server'),
        environment: { LD_LIBRARY_PATH: [join(unpacked, 'lib', 'x86_64-linux-gnu'), join(unpacked, 'lib')].join(':') },
      });

      await writeFile(join(bin, 'valkey-server'), '', { mode: 0o755 });
      expect(findRedisServer(folder.path, bin)).to.deep.equal({ command: join(bin, 'valkey-server'), environment: {} });
      await writeFile(join(bin, 'redis-server'), '', { mode: 0o755 });
      expect(findRedisServer(folder.path, bin)).to.deep.equal({ command: join(bin, 'redis-server'), environment: {} });
    });
  });

  it('ensure-installed --no-install prints the commands that install what is missing, and runs none', async () => {
    const scripts = join(folder.path, 'clone', 'scripts');
    await mkdir(scripts, { recursive: true });
    await copyFile(program, join(scripts, 'ensure-installed.mjs'));
    await writeFile(join(folder.path, 'clone', 'package-lock.json'), lock({ 'node_modules/koa': koa }));
    const script = join(scripts, 'start.mjs');
    await writeFile(script, "import { prepare } from './ensure-installed.mjs'; prepare({ needsRedis: false });");
    const error = await execute(process.execPath, [script, '--no-install']).catch((thrown: unknown) => thrown);
    expect(error).to.include({
      code: 1,
      stdout: '',
      stderr:
        'Not installed because of --no-install; run:\n  npm ci --include=dev --no-audit --no-fund --loglevel=error\n',
    });
  });

  it('prints nothing and starts no program if nothing is missing', async () => {
    const script = `
      const processes = require('node:child_process');
      const refuse = (command) => { throw new Error('started ' + command); };
      for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) processes[name] = refuse;
      require('node:module').syncBuiltinESMExports();
      import(${JSON.stringify(program)}).then(({ prepare }) => prepare({ needsRedis: true, readsEnvironmentFile: false }));`;
    const { stdout, stderr } = await execute(process.execPath, ['-e', script]);
    expect(stdout + stderr).to.equal('');
  });
});
