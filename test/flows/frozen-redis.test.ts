import { expect } from 'chai';
import { second } from '../../shared/durations.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Three times the limit, for slow machines. */
const responseLimit = 18 * second;

describe('with a frozen Redis', () => {
  let own: OwnRedis;
  let processId = 0;
  const service = startTestService({
    workers: false,
    environment: async () => {
      own = await startOwnRedis();
      processId = Number(/^process_id:(\d+)/m.exec(await own.admin.info('server'))?.[1]);
      return { REDIS_URL: own.url, NOTEBOOK_API_VARIANT: '0.2.0' };
    },
  });
  // A frozen process cannot end.
  afterEach(() => process.kill(processId, 'SIGCONT'));
  after(() => own.close());

  it('requests get a response in time, entries are accepted, and are processed afterwards', async () => {
    const { id } = await createRunningScenario(service);
    process.kill(processId, 'SIGSTOP');
    // In the second round, the connection is known to be lost.
    for (const round of [1, 2]) {
      const start = performance.now();
      const [read, cached, notebook, ...accepted] = await Promise.all([
        service.request('GET', `/api/v1/scenarios/${id}`),
        service.request('GET', '/api/v2/scenarios'),
        service.request('POST', '/api/v1/notebooks', { body: { title: 'not now' } }),
        ingest(service, id, { message: 'a' }, { headers: { Prefer: 'respond-async' } }),
        ingest(service, id, [{ message: 'b' }]),
        service.request('POST', `/ingest/${id}`, { headers: { 'Content-Type': 'text/plain' }, body: 'c' }),
      ]);
      expect(performance.now() - start).to.be.below(responseLimit);
      expect([read.status, cached.status]).to.deep.equal([200, 200]);
      expectError(notebook, 503, 'SERVICE_UNAVAILABLE');
      expect(accepted.map(({ status }) => status)).to.deep.equal([202, 202, 200]);
      expect((await getMetrics(service, id)).totals.pending_entries).to.equal(3 * round);
    }
    process.kill(processId, 'SIGCONT');
    await waitUntil('Redis to be used again', async () => {
      const { headers } = await service.request('GET', '/api/v2/scenarios');
      return headers.get('X-Cache') === 'hit';
    });
    await service.startWorkers();
    await waitUntil('the entries to be counted', async () => (await getMetrics(service, id)).totals.logs === 6);
    await service.stopWorkers();
  });
});
