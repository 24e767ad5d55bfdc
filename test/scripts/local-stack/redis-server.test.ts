import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startRedis } from '../../support/own-redis.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

describe('the redis-server of the local stack', () => {
  const folder = createTemporaryFolder();

  it('keeps its data, never evicts jobs, and is for its user only', async () => {
    let redis = await startRedis(folder.path);
    let client = new Redis(redis.url);
    const settings = await client.config('GET', 'appendonly', 'appendfsync', 'maxmemory-policy', 'hz', 'bind', 'save');
    expect(
      Object.fromEntries(settings.flatMap((name, at) => (at % 2 ? [] : [[name, settings[at + 1]]]))),
    ).to.deep.equal({
      appendonly: 'yes',
      appendfsync: 'everysec',
      'maxmemory-policy': 'noeviction',
      hz: '100',
      bind: '127.0.0.1',
      save: '',
    });

    const { host, password } = new URL(redis.url);
    const stranger = new Redis(`redis://${host}`, { lazyConnect: true, retryStrategy: () => null });
    stranger.on('error', () => {});
    expect(String(await stranger.ping().catch((error: unknown) => error))).to.match(/NOAUTH/);
    stranger.disconnect();
    expect((await stat(join(folder.path, 'redis.conf'))).mode & 0o077).to.equal(0);
    const pid = /process_id:(\d+)/.exec(await client.info('server'))?.[1];
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).not.to.include(password);

    await client.set('key', 'value');
    client.disconnect();
    await redis.close();
    redis = await startRedis(folder.path);
    client = new Redis(redis.url);
    expect(await client.get('key')).to.equal('value');
    client.disconnect();
    await redis.close();
  });
});
