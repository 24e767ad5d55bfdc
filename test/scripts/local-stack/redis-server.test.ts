import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { dataDirectory } from '../../../scripts/ensure-installed.mjs';
import { findRedisError, type RunningRedis, startRedis } from '../../../scripts/local-stack/redis-server.ts';
import { Watchdog } from '../../../scripts/local-stack/watchdog.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

describe('redis-server', () => {
  const folder = createTemporaryFolder();
  let watchdog: Watchdog;
  let redis: RunningRedis;

  beforeEach(async () => {
    watchdog = new Watchdog();
    redis = await startRedis(folder.path, dataDirectory(), watchdog);
  });
  afterEach(async () => {
    await redis.close();
    await watchdog.close();
  });

  async function withClient<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(redis.url);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  }

  it('is configured for queues: append-only, without eviction, quick with delayed jobs, on loopback only', async () => {
    const settings = await withClient((client) =>
      client.config('GET', 'appendonly', 'appendfsync', 'maxmemory-policy', 'hz', 'bind', 'save'),
    );
    const pairs = Object.fromEntries(
      Array.from({ length: settings.length / 2 }, (_, index) => settings.slice(index * 2, index * 2 + 2)),
    );
    expect(pairs).to.deep.equal({
      appendonly: 'yes',
      appendfsync: 'everysec',
      'maxmemory-policy': 'noeviction',
      hz: '100',
      bind: '127.0.0.1',
      save: '',
    });
  });

  it('asks for a password, which other users of the machine see neither in a file nor in the list of processes', async () => {
    const { host } = new URL(redis.url);
    expect(await findRedisError(`redis://${host}`)).to.match(/NOAUTH/);
    expect(await findRedisError(`redis://:wrong@${host}`)).to.match(/WRONGPASS/);
    const { mode } = await stat(join(folder.path, 'redis.conf'));
    expect(mode & 0o077).to.equal(0);
    const commandLine = await readFile(`/proc/${await withClient(processIdOf)}/cmdline`, 'utf8').catch(() => '');
    expect(commandLine).not.to.include(new URL(redis.url).password);
  });

  it('keeps its data in its directory', async () => {
    await withClient((client) => client.set('key', 'value'));
    await redis.close();
    redis = await startRedis(folder.path, dataDirectory(), watchdog);
    expect(await withClient((client) => client.get('key'))).to.equal('value');
  });
});

async function processIdOf(client: Redis): Promise<string> {
  return /process_id:(\d+)/.exec(await client.info('server'))?.[1] ?? '';
}
