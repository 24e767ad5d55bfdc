import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { createReadCache, type ReadCache } from '../../../shared/connections/read-cache.ts';
import { openRedis } from '../../../shared/connections/redis.ts';
import { captureLog } from '../../support/capture-log.ts';
import { type RunningProxy, startTcpProxy } from '../../support/proxy.ts';
import { deleteKeys, getTestServers } from '../../support/test-servers.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the read cache', () => {
  const prefix = `${getTestServers().prefix}_${randomUUID()}`;
  const { log } = captureLog();
  let proxy: RunningProxy;
  let proxied: Redis;
  let direct: Redis;

  before(async () => {
    proxy = await startTcpProxy(getTestServers().redisUrl);
    proxied = await openRedis(proxy.url, 'request', log);
    direct = await openRedis(getTestServers().redisUrl, 'request', log);
  });
  afterEach(() => proxy.start());
  after(async () => {
    proxied.disconnect();
    direct.disconnect();
    await proxy.stop();
    await deleteKeys(getTestServers().redisUrl, prefix);
  });

  /** The caches of two processes, the first behind the proxy, and a database with one value. */
  const create = () => {
    const name = randomUUID();
    const one = createReadCache({ redis: proxied }, { prefix, name });
    const other = createReadCache({ redis: direct }, { prefix, name });
    const database = { value: 1 };
    const read = async (cache: ReadCache) => cache.read('key', async () => database.value);
    const write = (cache: ReadCache, value: number) =>
      cache.invalidate(async () => {
        database.value = value;
      });
    /** Reads until an entry is served. @returns it. */
    const readHit = (cache: ReadCache) =>
      waitUntil('a hit', async () => {
        const { value, outcome } = await read(cache);
        return outcome === 'hit' ? value : undefined;
      });
    return { one, other, database, read, write, readHit, versionKey: `${prefix}:${name}:version` };
  };

  it('serves no entry of a reader that read before a write and stores after it', async () => {
    const { one, other, database, readHit, write } = create();
    await readHit(one);
    let store: (() => void) | undefined;
    const slow = other.read('key 2', async () => {
      const { value } = database;
      await new Promise<void>((resolve) => {
        store = resolve;
      });
      return value;
    });
    const finish = await waitUntil('the reader to read', () => store);
    await write(one, 2);
    await readHit(one);
    finish();
    expect((await slow).value).to.equal(1);
    for (const cache of [other, one]) {
      const { value } = await cache.read('key 2', async () => database.value);
      expect(value).to.equal(2);
    }
  });

  it('stores no large entries', async () => {
    const { one, readHit } = create();
    await readHit(one);
    const large = async () => 'x'.repeat(70_000);
    for (const outcome of ['miss', 'miss']) expect((await one.read('large', large)).outcome).to.equal(outcome);
  });

  it('serves nothing of before, when Redis has lost its data or its latest changes', async () => {
    const { one, other, read, readHit, write, versionKey } = create();
    await readHit(other);
    const version = await direct.get(versionKey);
    await write(one, 2);
    await readHit(other);

    await direct.del(versionKey);
    expect(await read(other)).to.deep.equal({ value: 2, outcome: 'miss' });
    expect(await direct.get(versionKey)).not.to.equal(version);

    // A Redis that restarts can have the state of a second before.
    await proxy.stop();
    await direct.set(versionKey, version ?? '');
    await proxy.start();
    await waitUntil('the connection', () => proxied.status === 'ready');
    expect((await read(one)).value).to.equal(2);
    expect((await read(other)).value).to.equal(2);
  });

  it('reads without Redis, and shows what was written meanwhile when Redis is reachable again', async () => {
    const { one, other, read, readHit, write } = create();
    await readHit(other);
    await proxy.stop();
    await waitUntil('the loss', () => proxied.status !== 'ready');
    await write(one, 2);
    expect(await read(one)).to.deep.equal({ value: 2, outcome: 'miss' });
    await proxy.start();
    await waitUntil('the other process to read the change', async () => (await read(other)).value === 2);
    expect(await readHit(one)).to.equal(2);
    expect(await readHit(other)).to.equal(2);
  });
});
