import { expect } from 'chai';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { deleteKeys } from './redis-keys.ts';
import { dropDatabase, withDatabase } from './test-database.ts';
import { testServers } from './test-servers.ts';

describe('the servers of a test run', () => {
  it('are the same for every test that asks', async () => {
    const servers = await testServers();
    expect(await testServers()).to.equal(servers);
    expect(process.env.TEST_MONGODB_URL).to.equal(servers.mongodbUrl);
    expect(process.env.TEST_REDIS_URL).to.equal(servers.redisUrl);
    expect(process.env.TEST_REDIS_PREFIX).to.equal(servers.redisPrefix);
  });

  it('have a database of the run, which can be dropped without touching others', async () => {
    const { mongodbUrl, redisPrefix } = await testServers();
    const mine = withDatabase(mongodbUrl, `${redisPrefix}_mine`);
    const other = withDatabase(mongodbUrl, `${redisPrefix}_other`);
    const client = await new MongoClient(mine).connect();
    try {
      await client.db().collection('rows').insertOne({ row: 1 });
      await client.db(`${redisPrefix}_other`).collection('rows').insertOne({ row: 1 });
      await dropDatabase(mine);
      expect(await client.db().collection('rows').countDocuments()).to.equal(0);
      expect(await client.db(`${redisPrefix}_other`).collection('rows').countDocuments()).to.equal(1);
      await dropDatabase(other);
    } finally {
      await client.close();
    }
  });

  it('lose the keys under a prefix, taken literally, and no others', async () => {
    const { redisUrl, redisPrefix } = await testServers();
    const redis = new Redis(redisUrl);
    try {
      const own = `${redisPrefix}_literally`;
      await redis.mset(`${own}[a]:1`, '', `${own}[a]:2`, '', `${own}a:1`, '');
      await deleteKeys(redisUrl, `${own}[a]`);
      expect(await redis.keys(`${own}*`)).to.deep.equal([`${own}a:1`]);
      await redis.del(`${own}a:1`);
    } finally {
      redis.disconnect();
    }
  });

  it('keep hosts, options and the place where the user is known when the database is another', () => {
    const cases: Record<string, string> = {
      'mongodb://127.0.0.1:27017': 'mongodb://127.0.0.1:27017/run',
      'mongodb://127.0.0.1:27017/app': 'mongodb://127.0.0.1:27017/run',
      'mongodb://a:1,b:2/app?replicaSet=rs0': 'mongodb://a:1,b:2/run?replicaSet=rs0',
      'mongodb://me:pw@host/app': 'mongodb://me:pw@host/run?authSource=app',
      'mongodb+srv://me:pw@host/?w=majority': 'mongodb+srv://me:pw@host/run?w=majority&authSource=admin',
      'mongodb://me:pw@host/app?authSource=users': 'mongodb://me:pw@host/run?authSource=users',
    };
    for (const [given, expected] of Object.entries(cases)) expect(withDatabase(given, 'run'), given).to.equal(expected);
    expect(() => withDatabase('redis://host', 'run')).to.throw('MONGODB_URL');
  });
});
