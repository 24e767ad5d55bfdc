import { expect } from 'chai';
import { second } from '../../shared/durations.ts';
import { type RunningProxy, startMongoProxy } from '../support/proxy.ts';
import { createRunningScenario, expectError, flushAll, getMetrics, ingest } from '../support/requests.ts';
import { type StoreProcess, startStoreProcess, withDatabase } from '../support/test-servers.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Three times the limit, for slow machines. The driver's own limits are 30 seconds and more. */
const responseLimit = 15 * second;

describe('outages of MongoDB', () => {
  let store: StoreProcess;
  let proxy: RunningProxy;
  const service = startTestService({
    environment: async () => {
      store = await startStoreProcess();
      proxy = await startMongoProxy(withDatabase(store.url, 'outages'));
      // While the worker waits for its next attempt, an entry gets 202.
      return { MONGODB_URL: proxy.url, MONGODB_TIMEOUT_MS: '5000', INGEST_WAIT_MS: '1000' };
    },
  });
  const repair = async () => {
    // A frozen process cannot end.
    store.child.kill('SIGCONT');
    await proxy.start();
  };
  afterEach(repair);
  after(async () => {
    await proxy.stop();
    await store.close();
  });

  for (const [name, begin] of [
    ['is unreachable', () => proxy.stop()],
    ['does not respond', () => store.child.kill('SIGSTOP')],
  ] as const) {
    it(`a database that ${name}: requests get 503 in time, accepted entries are processed afterwards, without a restart`, async () => {
      const { id } = await createRunningScenario(service);
      // The entries are accepted without workers, and their first attempt runs during the outage.
      await service.stopWorkers();
      const headers = { Prefer: 'respond-async' };
      const accepted = await ingest(service, id, [{ message: 'one' }, { message: 'two' }], { headers });
      expect(accepted.status).to.equal(202);
      await begin();
      const path = `/api/v1/scenarios/${id}`;
      // A frozen server executes what it has received when it continues: a 503 does not say that
      // nothing was stored.
      const body = { name: `perhaps stored, ${name}`, region: 'eu-west-1' };
      const credentials = { email: 'nobody@example.com', password: 'a wrong password' };
      // In the second round, the driver knows that the server does not respond.
      for (const round of ['first', 'second']) {
        const start = performance.now();
        const refused = await Promise.all([
          service.request('GET', path),
          service.request('GET', '/api/v1/scenarios'),
          service.request('GET', `${path}/metrics`),
          service.request('POST', '/api/v1/scenarios', { body }),
          service.request('PUT', path, { body: { description: 'perhaps' } }),
          ingest(service, id, { message: 'not now' }),
          service.request('POST', '/api/v1/auth/login', { body: credentials }),
        ]);
        expect(performance.now() - start, round).to.be.below(responseLimit);
        for (const response of refused) {
          expectError(response, 503, 'SERVICE_UNAVAILABLE');
          expect(Number(response.headers.get('Retry-After')), round).to.be.greaterThan(0);
        }
      }
      const readiness = await service.request('GET', '/health/ready');
      expect(readiness.status).to.equal(503);
      expect(readiness.body.checks).to.include({ mongodb: 'down', redis: 'up' });
      expect((await service.request('GET', '/metrics')).status).to.equal(200);
      await service.startWorkers();
      const job = await waitUntil('an attempt to fail', async () => {
        const found = await service.app.queues['ingest-entries'].queue.getJob(accepted.body.job_id);
        return (found?.attemptsMade ?? 0) > 0 && found;
      });
      expect(job.failedReason).to.match(/^SERVICE_UNAVAILABLE: /);

      await repair();
      await waitUntil('an entry to be accepted', async () => {
        const { status } = await ingest(service, id, { message: 'after' });
        return status === 200 || status === 202;
      });
      await flushAll(service);
      // With those of requests that a frozen server has executed.
      expect((await getMetrics(service, id)).totals.logs).to.be.within(3, name === 'is unreachable' ? 3 : 5);
    });
  }
});
