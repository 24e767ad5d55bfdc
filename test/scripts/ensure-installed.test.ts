import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  findRedisServer,
  matchesLock,
  nodeVersionError,
  redisInstallCommand,
  redisInstallPlan,
} from '../../scripts/ensure-installed.mjs';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const lock = (packages: Record<string, object>) =>
  JSON.stringify({ packages: { '': { name: 'meterbook' }, ...packages } });
const koa = { version: '3.3.0', integrity: 'sha512-a' };

describe('ensure-installed', () => {
  const folder = createTemporaryFolder();

  it('accepts Node.js 20.19 and later, and refuses an older one in one sentence with both versions', () => {
    for (const version of ['20.19.0', '22.0.0']) expect(nodeVersionError(version), version).to.equal(undefined);
    for (const version of ['20.18.3', '9.0.0'])
      expect(nodeVersionError(version)).to.match(new RegExp(`^Node\\.js ${version} .*20\\.19.*\\.$`));
  });

  it('finds that packages are missing, but not the binaries of other platforms', () => {
    const wanted = lock({ 'node_modules/koa': koa, 'node_modules/x-arm64': { version: '1.0.0', optional: true } });
    expect(matchesLock(wanted, lock({ 'node_modules/koa': koa }))).to.equal(true);
    const others = [
      { ...koa, version: '3.2.0' },
      { ...koa, integrity: 'sha512-b' },
    ];
    const installed = ['', '{"packages":', lock({}), ...others.map((other) => lock({ 'node_modules/koa': other }))];
    for (const text of installed) expect(matchesLock(wanted, text), text).to.equal(false);
  });

  const sentence = /^redis-server is not installed.* REDIS_URL to a running Redis\.$/;
  const machines: [platform: string, isRoot: boolean, commands: string, install: RegExp][] = [
    ['linux', true, 'apt-get dpkg', /^apt-get install -y --no-install-recommends redis-server$/],
    ['linux', false, 'apt-get dpkg sudo', /^sudo -n apt-get install /],
    ['linux', false, 'apt-get dpkg', /^apt-get download .* dpkg -x into \/data\/tools$/],
    ['darwin', false, 'brew', /^brew install redis$/],
    ['linux', false, '', sentence],
    ['darwin', false, '', sentence],
    ['win32', false, '', sentence],
  ];
  for (const [platform, isRoot, commands, install] of machines) {
    it(`installs Redis, or says how, on ${platform} with "${commands}"${isRoot ? ' as root' : ''}`, () => {
      const has = (command: string) => commands.split(' ').includes(command);
      const plan = redisInstallPlan({ platform, isRoot, has });
      expect(plan.kind === 'impossible' ? plan.sentence : redisInstallCommand(plan, '/data/tools')).to.match(install);
    });
  }

  it('finds redis-server or valkey-server on the PATH, else in the data folder with its libraries', async () => {
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
    for (const name of ['valkey-server', 'redis-server']) {
      await writeFile(join(bin, name), '', { mode: 0o755 });
      expect(findRedisServer(folder.path, bin)).to.deep.equal({ command: join(bin, name), environment: {} });
    }
  });
});
