import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { closeRedis, openRedis } from '../../../shared/connections/redis.ts';
import type { RedisClient } from '../../../shared/connections/redis-client.ts';
import { createIngestSpool, type IngestSpool } from '../../../shared/ingest/ingest-spool.ts';
import { openSpooledBatch } from '../../../shared/ingest/spooled-batch.ts';
import { captureLog } from '../../support/capture-log.ts';
import { deleteKeys, findKeys } from '../../support/redis-keys.ts';
import { getTestServers } from '../../support/test-servers.ts';

describe('the ingest spool', () => {
  const key = randomBytes(32);
  const prefix = `${getTestServers().prefix}_spool`;
  const limits = { maxBatches: 3, maxBytes: 10_000 };
  const small = batchOf('a');
  let redis: RedisClient;
  let spool: IngestSpool;

  before(async () => {
    redis = await openRedis(getTestServers().redisUrl, 'request', captureLog().log);
    spool = createIngestSpool({ redis, prefix, key });
  });
  afterEach(() => deleteKeys(getTestServers().redisUrl, `${prefix}:`));
  after(() => closeRedis(redis));

  const slots = () => redis.zrange(`${prefix}:{ingest-entries}:spool-slots`, '0', '-1');
  const size = async () => Number(await redis.hget(`${prefix}:{ingest-entries}:spool-sizes`, 'total'));
  const read = async (id: string) => {
    const encrypted = await spool.readEncrypted(id);
    return encrypted && openSpooledBatch([key], encrypted, id);
  };
  const write = (id: string, batch = small) => spool.write(id, batch, limits);
  /** As if a minute had passed. */
  const makeDue = async () => {
    for (const id of await slots()) await redis.zadd(`${prefix}:{ingest-entries}:spool-slots`, 0, id);
  };
  const addJob = (id: string) =>
    redis.hset(`${prefix}:{ingest-entries}:ingest-entries:${id}`, { name: 'ingest-entries' });

  it('returns what was written, and stores it compressed', async () => {
    const id = randomUUID();
    const batch = batchOf('the same again '.repeat(1000));
    expect(await write(id, batch)).to.equal(0);
    expect(await read(id)).to.deep.equal(batch);
    expect(await size())
      .to.be.greaterThan(0)
      .and.lessThan(1000);
    expect(await redis.strlen(`${prefix}:{ingest-entries}:spool:${id}`)).to.equal(await size());
    await spool.clear(id);
    await spool.clear(id);
    expect(await read(id)).to.equal(null);
    expect(await size()).to.equal(0);
    expect(await slots()).to.deep.equal([]);
  });

  it('returns entries that were written as JSON, each with its position and the time of receipt', async () => {
    const id = randomUUID();
    const sent = Buffer.from(' {"message":"größer"},\n{"message":"b","timestamp":3}');
    expect(await spool.write(id, { receivedAt: 2, entries: sent }, limits)).to.equal(0);
    const entries = [
      { index: 0, message: 'größer', timestamp: 2 },
      { index: 1, message: 'b', timestamp: 3 },
    ];
    expect(await read(id)).to.deep.equal({ receivedAt: 2, entries });
  });

  it('returns every entry of a large batch, in order', async () => {
    const id = randomUUID();
    const lengths = Array.from({ length: 350 }, (_, index) => (index % 70 === 0 ? 40_000 : index));
    const entries = lengths.map((length, index) => ({ index, message: 'é'.repeat(length), timestamp: index }));
    expect(await write(id, { receivedAt: 1, entries })).to.equal(0);
    expect(await read(id)).to.deep.equal({ receivedAt: 1, entries });
  });

  it('takes a bounded number of batches, however many are written at once', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const outcomes = await Promise.all(ids.map((id) => write(id)));
    expect(outcomes.filter((outcome) => outcome === 0)).to.have.length(limits.maxBatches);
    expect(outcomes.filter((outcome) => outcome === 'batches')).to.have.length(37);
    expect(await findKeys(redis, `${prefix}:{ingest-entries}:spool:*`)).to.have.length(limits.maxBatches);
    expect(await spool.findFullLimit(limits)).to.equal('batches');
    const kept = ids[outcomes.indexOf(0)] ?? '';
    expect(await write(kept), 'a batch that has a slot').to.equal(0);
    await spool.clear(kept);
    expect(await spool.findFullLimit(limits)).to.equal(null);
    expect(await write(randomUUID())).to.equal(0);
  });

  it('takes a bounded number of bytes, counted as they are stored', async () => {
    const random = batchOf(randomBytes(3000).toString('base64'));
    const ids = Array.from({ length: 3 }, () => randomUUID());
    const wide = { maxBatches: 100, maxBytes: limits.maxBytes };
    const outcomes = await Promise.all(
      [...ids, ...ids.map(() => randomUUID())].map((id) => spool.write(id, random, wide)),
    );
    expect(outcomes.filter((outcome) => outcome === 'bytes')).to.have.length(3);
    expect(await size()).to.be.lessThan(limits.maxBytes);
    expect(await spool.findFullLimit(wide), 'a small batch is within the limits').to.equal(null);
    expect(await spool.findFullLimit({ ...wide, maxBytes: await size() })).to.equal('bytes');
    const kept = (await slots())[0] ?? '';
    await spool.write(kept, small, wide);
    await Promise.all((await slots()).map((id) => spool.clear(id)));
    expect(await size(), 'nothing leaks, also where a batch was replaced').to.equal(0);
  });

  it('returns how many batches the owner of a batch has', async () => {
    const wide = { ...limits, maxBatches: 20 };
    const [first, second] = [randomUUID(), randomUUID()];
    const writeAs = (owner: string, id = randomUUID()) => spool.write(id, small, wide, owner);
    expect(await writeAs('a', first)).to.equal(1);
    expect(await writeAs('a', second)).to.equal(2);
    expect(await writeAs('b')).to.equal(1);
    expect(await writeAs('a', second), 'a batch that has a slot').to.equal(2);
    await spool.clear(first);
    expect(await writeAs('a')).to.equal(2);
  });

  it('frees the slot of a batch without a job, and of a job without a batch', async () => {
    const [lost, cleared, alive] = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of [lost, cleared, alive]) expect(await write(id)).to.equal(0);
    expect(await write(randomUUID())).to.equal('batches');
    await addJob(cleared);
    await addJob(alive);
    await redis.del(`${prefix}:{ingest-entries}:spool:${cleared}`);
    expect(await write(randomUUID()), 'not before a minute').to.equal('batches');
    await makeDue();
    expect(await spool.findFullLimit(limits)).to.equal(null);
    expect(await slots()).to.deep.equal([alive]);
    expect(await read(lost)).to.equal(null);
    expect(await read(alive)).to.deep.equal(small);
    expect(await size()).to.equal(await redis.strlen(`${prefix}:{ingest-entries}:spool:${alive}`));
  });
});

function batchOf(message: string) {
  return { receivedAt: 1, entries: [{ index: 0, message, timestamp: 2 }] };
}
