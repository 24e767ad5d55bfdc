import { expect } from 'chai';
import { type RunningProxy, startMongoProxy, startTcpProxy } from '../support/proxy.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { getTestServers } from '../support/test-servers.ts';
import { createTestEnvironment, startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('during an outage', () => {
  let redisProxy: RunningProxy;
  let mongoProxy: RunningProxy;
  let environment: Record<string, string> = {};

  before(async () => {
    environment = { ...createTestEnvironment(), MONGODB_TIMEOUT_MS: '5000' };
    redisProxy = await startTcpProxy(getTestServers().singleRedisUrl);
    mongoProxy = await startMongoProxy(environment['MONGODB_URL'] ?? '');
    Object.assign(environment, { REDIS_URL: redisProxy.url, MONGODB_URL: mongoProxy.url });
  });
  // Connections cannot close while a failed test has left a proxy stopped.
  afterEach(() => Promise.all([redisProxy.start(), mongoProxy.start()]));
  // A wait that the outage interrupts must not outlast the test.
  const service = startTestService({
    environment: async () => ({ ...environment, INGEST_WAIT_MS: '3000' }),
    config: { flushWaitMs: 1000 },
  });
  after(() => Promise.all([redisProxy.stop(), mongoProxy.stop()]));
  const checks = async () => (await service.request('GET', '/health/ready')).body.checks;

  it('accepts entries without Redis, serves the rest, and processes them afterwards', async () => {
    const { id } = await createRunningScenario(service);
    await redisProxy.stop();
    let accepted = 2;
    const late = await ingest(service, id, { message: 'later' });
    expect(late.status, late.text).to.equal(202);
    const lines = { headers: { 'Content-Type': 'text/plain' }, body: 'later' };
    expect((await service.request('POST', `/ingest/${id}`, lines)).status).to.equal(200);
    expect((await service.request('GET', late.body.status_url)).body.status).to.equal('queued');
    expect((await getMetrics(service, id)).totals).to.include({ logs: 0, pending_entries: 2 });
    expectError(await service.request('POST', '/flush'), 503, 'SERVICE_UNAVAILABLE');
    const ready = await service.request('GET', '/health/ready?for=ingest');
    expect(ready.status, ready.text).to.equal(200);
    expect(ready.body.checks).to.include({ redis: 'down', mongodb: 'up', backlog: 'up' });
    expectError(await service.request('GET', '/metrics'), 503, 'SERVICE_UNAVAILABLE');
    expect((await service.request('GET', '/health')).status).to.equal(200);
    const created = await createScenario(service);
    for (const path of ['/api/v2/scenarios', `/api/v2/scenarios/${created.id}`]) {
      const read = await service.request('GET', path);
      expect(read.status).to.equal(200);
      expect(read.headers.get('X-Cache')).to.equal('miss');
    }
    const deleted = await service.request('DELETE', `/api/v1/scenarios/${created.id}`);
    expect(deleted.status, 'the stored mark is sufficient').to.equal(204);

    await redisProxy.start();
    await waitUntil('an entry to be processed', async () => {
      const { status } = await ingest(service, id, { message: 'now' });
      if (status === 200 || status === 202) accepted += 1;
      return status === 200;
    });
    await waitUntil(
      'all entries to be processed',
      async () => (await service.request('POST', '/flush')).status === 200,
    );
    expect((await getMetrics(service, id)).totals.logs).to.equal(accepted);
    await waitUntil('Redis to be up', async () => (await checks()).redis === 'up');
  });

  it('responds with 503 while MongoDB is unreachable, and processes accepted entries afterwards', async () => {
    const { id } = await createRunningScenario(service);
    // The entries are accepted without workers, and their first attempt runs during the outage.
    await service.stopWorkers();
    const headers = { Prefer: 'respond-async' };
    const accepted = await ingest(service, id, [{ message: 'one' }, { message: 'two' }], { headers });
    expect(accepted.status).to.equal(202);
    await mongoProxy.stop();
    const path = `/api/v1/scenarios/${id}`;
    expectError(await service.request('GET', path), 503, 'SERVICE_UNAVAILABLE');
    const body = { name: 'never stored', region: 'eu-west-1' };
    expectError(await service.request('POST', '/api/v1/scenarios', { body }), 503, 'SERVICE_UNAVAILABLE');
    expectError(await ingest(service, id, { message: 'not now' }), 503, 'SERVICE_UNAVAILABLE');
    expect(await checks()).to.include({ redis: 'up', mongodb: 'down' });
    expect((await service.request('GET', '/metrics')).status).to.equal(200);
    await service.startWorkers();
    const { queue } = service.app.queues['ingest-entries'];
    await waitUntil('an attempt to fail', async () => {
      const job = await queue.getJob(accepted.body.job_id);
      return job !== undefined && job.attemptsMade > 0;
    });
    const failed = await queue.getJob(accepted.body.job_id);
    expect(failed?.failedReason).to.match(/^SERVICE_UNAVAILABLE: /);

    await mongoProxy.start();
    await waitUntil('the batch to be processed', async () => (await service.request('POST', '/flush')).status === 200);
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
  });
});
