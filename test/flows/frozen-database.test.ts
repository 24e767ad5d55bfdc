import { expect } from 'chai';
import { second } from '../../shared/durations.ts';
import { createRunningScenario, expectError, flushAll, getMetrics, ingest } from '../support/requests.ts';
import { type StoreProcess, startStoreProcess } from '../support/store-process.ts';
import { withDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Three times the limit, for slow machines. The driver's own limits are 30 seconds and more. */
const responseLimit = 15 * second;

describe('with a frozen database', () => {
  let store: StoreProcess;

  before(async () => {
    store = await startStoreProcess();
  });
  const environment = async () => ({
    MONGODB_URL: withDatabase(store.url, 'frozen'),
    MONGODB_TIMEOUT_MS: '5000',
    // While the worker waits for its next attempt, an entry gets 202.
    INGEST_WAIT_MS: '1000',
  });
  const service = startTestService({ environment });
  // A frozen process cannot end.
  afterEach(() => store.child.kill('SIGCONT'));
  after(() => store.close());

  it('requests get 503, and the service recovers without a restart', async () => {
    const { id } = await createRunningScenario(service);
    expect((await ingest(service, id, { message: 'before' })).status).to.be.oneOf([200, 202]);
    store.child.kill('SIGSTOP');
    const path = `/api/v1/scenarios/${id}`;
    // The server executes what it has received when it continues: a 503 does not say that nothing
    // was stored.
    const body = { name: 'perhaps stored', region: 'eu-west-1' };
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

    store.child.kill('SIGCONT');
    await waitUntil('the service to be ready', async () => {
      const { status } = await service.request('GET', '/health/ready?for=ingest');
      return status === 200;
    });
    await waitUntil('an entry to be accepted', async () => {
      const { status } = await ingest(service, id, { message: 'after' });
      return status === 200 || status === 202;
    });
    await flushAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.be.at.least(2);
  });
});
