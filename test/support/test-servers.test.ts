import { expect } from 'chai';
import { Redis } from 'ioredis';
import { deleteKeys, findKeys } from './redis-keys.ts';
import { withDatabase } from './test-database.ts';
import { getTestServers } from './test-servers.ts';

describe('the servers of a test run', () => {
  it('servers are shared by all processes, with a name prefix per process', () => {
    const { TEST_MONGODB_URL: mongodbUrl, TEST_REDIS_URL: redisUrl, TEST_PREFIX: run } = process.env;
    const { singleRedisUrl, ...servers } = getTestServers();
    expect(servers).to.deep.equal({ mongodbUrl, redisUrl, prefix: `${run}_${process.pid}` });
    expect(singleRedisUrl).to.equal(process.env.TEST_SINGLE_REDIS_URL);
  });

  it('keys with other prefixes are kept when those of a run are deleted; a prefix is not a pattern', async () => {
    const { singleRedisUrl: redisUrl, prefix } = getTestServers();
    const redis = new Redis(redisUrl);
    try {
      const own = `${prefix}_literally`;
      await redis.mset(`${own}[a]:1`, '', `${own}[a]:2`, '', `${own}a:1`, '');
      await deleteKeys(redisUrl, `${own}[a]`);
      expect(await findKeys(redis, `${own}*`)).to.deep.equal([`${own}a:1`]);
      await redis.del(`${own}a:1`);
    } finally {
      redis.disconnect();
    }
  });

  it('a connection string keeps hosts, options and authentication database when it gets another database', () => {
    const cases: Record<string, string> = {
      'mongodb://127.0.0.1:27017': 'mongodb://127.0.0.1:27017/run',
      'mongodb://127.0.0.1:27017/app': 'mongodb://127.0.0.1:27017/run',
      'mongodb://a:1,b:2/app?replicaSet=rs0': 'mongodb://a:1,b:2/run?replicaSet=rs0',
      'mongodb://me:pw@host/app': 'mongodb://me:pw@host/run?authSource=app',
      'mongodb://[::1]:1,%2Ftmp%2Fdb.sock/app?tls=true': 'mongodb://[::1]:1,%2Ftmp%2Fdb.sock/run?tls=true',
      'mongodb+srv://me:pw@host/?w=majority': 'mongodb+srv://me:pw@host/run?w=majority&authSource=admin',
      'mongodb://me:pw@host/app?authSource=users': 'mongodb://me:pw@host/run?authSource=users',
    };
    for (const [given, expected] of Object.entries(cases)) expect(withDatabase(given, 'run'), given).to.equal(expected);
    expect(() => withDatabase('redis://host', 'run')).to.throw('mongodb://');
  });
});
