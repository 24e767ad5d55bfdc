import { expect } from 'chai';
import { openRedis } from '../../shared/connections/redis.ts';
import { captureLog } from '../support/capture-log.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';
import { startTcpProxy } from '../support/proxy.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('with a Redis that has become a replica', () => {
  let redis: OwnRedis;
  const service = startTestService({
    environment: async () => {
      redis = await startOwnRedis();
      return { REDIS_URL: redis.url };
    },
  });
  afterEach(() => redis.makeMaster());
  after(() => redis.close());

  it('says so, is ready for entries, and processes them when Redis is a master again', async () => {
    const { id } = await createRunningScenario(service);
    expect((await ingest(service, id, { message: 'before' })).status).to.equal(200);
    await redis.makeReplica();

    // While it reconnects, Redis is unreachable for a moment.
    await waitUntil('Redis to be reported as read-only', async () => {
      const response = await service.request('GET', '/health/ready?for=notebooks');
      expect(response.status).to.equal(503);
      expect(response.body.checks).to.include({ redis: 'down', mongodb: 'up' });
      const { details } = response.body.error as { details: { field: string; error: string }[] };
      return details.some(({ field, error }) => field === 'redis' && error === 'is read-only') && response;
    });
    for (const purpose of ['', '?for=ingest']) {
      expect((await service.request('GET', `/health/ready${purpose}`)).status).to.equal(200);
    }
    expect((await ingest(service, id, { message: 'later' })).status).to.equal(202);
    const lines = { headers: { 'Content-Type': 'text/plain' }, body: 'later' };
    expect((await service.request('POST', `/ingest/${id}`, lines)).status).to.equal(200);
    for (const path of ['/api/v1/scenarios', '/api/v2/scenarios', `/api/v1/scenarios/${id}/metrics`]) {
      expect((await service.request('GET', path)).status, path).to.equal(200);
    }

    await redis.makeMaster();
    expect((await ingest(service, id, { message: 'after' })).status).to.be.oneOf([200, 202]);
    await waitUntil('all entries to be counted', async () => (await getMetrics(service, id)).totals.logs === 4);
  });
});

describe('a connection to a Redis that has become a replica', () => {
  let server: OwnRedis;
  before(async () => {
    server = await startOwnRedis();
  });
  after(() => server.close());

  it('is opened again, because its address can lead to the new master', async () => {
    const { log } = captureLog();
    let connections = 0;
    const proxy = await startTcpProxy(server.url, () => {
      connections += 1;
    });
    const redis = await openRedis(proxy.url, 'request', log);
    try {
      await server.makeReplica();
      for (const opened of [2, 3]) {
        const refusal = await redis.set('a key', '1').catch((error: Error) => error.message);
        expect(refusal).to.contain('READONLY');
        await waitUntil('a new connection', () => connections === opened && redis.status === 'ready');
      }
      await server.makeMaster();
      expect(await redis.set('a key', '1')).to.equal('OK');
    } finally {
      redis.disconnect();
      await proxy.stop();
    }
  });
});
