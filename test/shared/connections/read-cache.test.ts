import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { createReadCache, type ReadCache } from '../../../shared/connections/read-cache.ts';
import { openRedis } from '../../../shared/connections/redis.ts';
import { captureLog } from '../../support/capture-log.ts';
import { deleteKeys, findKeys } from '../../support/redis-keys.ts';
import { type ServerProxy, startRedisProxy } from '../../support/server-proxies.ts';
import { getTestServers } from '../../support/test-servers.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the read cache', () => {
  const prefix = `${getTestServers().prefix}_${randomUUID()}`;
  const { log, lines } = captureLog();
  let proxy: ServerProxy;
  let proxied: Redis;
  let direct: Redis;

  before(async () => {
    proxy = await startRedisProxy(getTestServers().singleRedisUrl);
    proxied = await openRedis(proxy.url, 'request', log);
    direct = await openRedis(getTestServers().singleRedisUrl, 'request', log);
    // Every cache listens, and every test creates two.
    for (const redis of [proxied, direct]) redis.setMaxListeners(50);
  });
  afterEach(() => proxy.start());
  after(async () => {
    proxied.disconnect();
    direct.disconnect();
    await proxy.stop();
    await deleteKeys(getTestServers().singleRedisUrl, prefix);
  });

  /** The caches of two processes, the first behind the proxy, and a database with one value. */
  const create = () => {
    const name = randomUUID();
    const one = createReadCache({ redis: proxied, prefix, name, log });
    const other = createReadCache({ redis: direct, prefix, name, log });
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
    return { one, other, database, read, write, readHit, keyOf: (part: string) => `${prefix}:${name}:${part}` };
  };

  it('serves what another process has read, until a write of any process', async () => {
    const { one, other, read, readHit, write } = create();
    expect(await read(one)).to.deep.equal({ value: 1, outcome: 'miss' });
    expect(await readHit(other)).to.equal(1);
    for (const [value, writer, reader] of [
      [2, one, other],
      [3, other, one],
      [4, one, one],
    ] as const) {
      await write(writer, value);
      expect(await read(reader)).to.deep.equal({ value, outcome: 'miss' });
      expect(await readHit(one)).to.equal(value);
      expect(await readHit(other)).to.equal(value);
    }
  });

  it('serves no entry of a reader that read before a write and stores after it', async () => {
    const { one, other, database, read, write } = create();
    await read(one);
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
    finish();
    expect((await slow).value).to.equal(1);
    for (const cache of [one, other]) {
      const { value } = await cache.read('key 2', async () => database.value);
      expect(value).to.equal(2);
    }
  });

  it('serves and stores nothing during a write, nor after one whose process ended', async () => {
    const { one, other, database, read, readHit, write } = create();
    await read(one);
    await readHit(other);
    let isChanging = false;
    one
      .invalidate(() => {
        isChanging = true;
        return new Promise(() => {});
      })
      .catch(() => {});
    await waitUntil('the write to begin', () => isChanging);
    for (const value of [2, 3]) {
      database.value = value;
      for (const cache of [one, other]) expect(await read(cache)).to.deep.equal({ value, outcome: 'miss' });
    }
    await write(other, 4);
    expect(await read(one)).to.deep.equal({ value: 4, outcome: 'miss' });
  });

  it('stores nothing after a write with an unknown outcome, and again after a refused one', async () => {
    const { one, other, database, read, readHit } = create();
    const fail = async (failure: Error) => {
      const failing = one.invalidate(async () => {
        throw failure;
      });
      expect(await failing.catch((thrown: unknown) => thrown)).to.equal(failure);
    };
    await fail(new Error('refused'));
    await readHit(other);
    await fail(new mongoose.mongo.MongoNetworkError('connection lost'));
    for (const value of [2, 3]) {
      database.value = value;
      expect(await read(other)).to.deep.equal({ value, outcome: 'miss' });
    }
  });

  it('stores no large entries', async () => {
    const { one } = create();
    const large = async () => 'x'.repeat(70_000);
    for (const outcome of ['miss', 'miss']) expect((await one.read('large', large)).outcome).to.equal(outcome);
  });

  it('serves nothing of before, when Redis has lost its data or its latest changes', async () => {
    const { one, other, read, readHit, write, keyOf } = create();
    await read(one);
    await readHit(other);
    const generation = await direct.get(keyOf('generation'));
    const [entryKey = ''] = await findKeys(direct, keyOf('entry:*'));
    const entry = await direct.get(entryKey);
    await write(one, 2);
    await readHit(other);

    await direct.del(keyOf('generation'), keyOf('writes'), entryKey);
    expect(await read(other)).to.deep.equal({ value: 2, outcome: 'miss' });
    expect(await direct.get(keyOf('generation'))).not.to.equal(generation);

    // A Redis that restarts can have the state of a second before.
    await proxy.stop();
    await direct.set(keyOf('generation'), generation ?? '');
    await direct.set(entryKey, entry ?? '');
    await proxy.start();
    await waitUntil('the connection', () => proxied.status === 'ready');
    expect((await read(one)).value).to.equal(2);
    expect((await read(other)).value).to.equal(2);
  });

  it('serves no entry from during a write whose registration Redis has lost', async () => {
    const { one, other, database, read, readHit, keyOf } = create();
    await one.invalidate(async () => {
      await direct.del(keyOf('generation'), keyOf('writes'));
      expect(await readHit(other)).to.equal(1);
      database.value = 2;
    });
    expect(await read(other)).to.deep.equal({ value: 2, outcome: 'miss' });
  });

  it('neither fails nor serves anything while Redis refuses its commands, and recovers', async () => {
    const { one, database, read, readHit, write, keyOf } = create();
    await direct.set(keyOf('writes'), 'not a sorted set');
    await write(one, 2);
    expect(lines.filter((line) => line.includes('cache not invalidated'))).to.have.length(1);
    for (const value of [3, 4]) {
      database.value = value;
      expect(await read(one)).to.deep.equal({ value, outcome: 'miss' });
    }
    await direct.del(keyOf('writes'));
    expect(await readHit(one)).to.equal(4);
  });

  it('reads without Redis, and invalidates what was written meanwhile when Redis is reachable again', async () => {
    const { one, other, read, readHit, write } = create();
    await read(one);
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
