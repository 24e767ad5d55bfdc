import { expect } from 'chai';
import { readConfig } from '../../shared/config/config.ts';
import { checkRedis, connectRedis, findRedisProblem } from '../../shared/start.ts';
import { captureLog } from '../support/capture-log.ts';
import { startOwnRedis } from '../support/own-redis.ts';
import { createTestEnvironment } from '../support/test-service.ts';

describe('the check of Redis at the start', () => {
  it('accepts Redis 7 and later, Valkey, and a server that does not tell its version', () => {
    const accepted = ['redis_version:7.0.15', 'redis_version:8.0.0', 'redis_version:7.2.4\r\nvalkey_version:8.1.0', ''];
    for (const version of accepted) {
      expect(findRedisProblem(`# Server\r\n${version}\r\n`), version).to.equal(undefined);
    }
  });

  it('refuses an older Redis with a sentence', () => {
    expect(findRedisProblem('# Server\r\nredis_version:6.2.14\r\n')).to.equal(
      'is Redis 6.2.14; use version 7 or later, or Valkey',
    );
  });

  it('refuses a node of a Redis Cluster with a sentence', () => {
    expect(findRedisProblem('redis_version:8.0.0\r\ncluster_enabled:1\r\n')).to.equal(
      'is a node of a Redis Cluster, which is not supported; use one server or Sentinel',
    );
    expect(findRedisProblem('redis_version:8.0.0\r\ncluster_enabled:0\r\n')).to.equal(undefined);
  });

  it('does not wait for a server that is frozen', async () => {
    const own = await startOwnRedis();
    const processId = Number(/^process_id:(\d+)/m.exec(await own.admin.info('server'))?.[1]);
    try {
      process.kill(processId, 'SIGSTOP');
      await checkRedis(own.admin, own.url, captureLog().log);
    } finally {
      process.kill(processId, 'SIGCONT');
      await own.close();
    }
  });

  it('logs once that a Redis deletes keys when its memory is full', async () => {
    const own = await startOwnRedis();
    try {
      await own.admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
      const { log, lines } = captureLog();
      const config = readConfig({ ...createTestEnvironment(), REDIS_URL: own.url });
      (await connectRedis(config, 'request', log)).disconnect();
      expect(lines).to.have.length(1);
      expect(JSON.parse(lines[0] ?? '')).to.include({ level: 'warn', policy: 'allkeys-lru' });
    } finally {
      await own.close();
    }
  });
});
