import { expect } from 'chai';
import { second } from '../../shared/durations.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const limit = 2.5 * second;
/** For slow machines. */
const tolerance = 3;

describe('with a frozen Redis', () => {
  let own: OwnRedis;
  let processId = 0;
  const service = startTestService({
    workers: false,
    environment: async () => {
      own = await startOwnRedis();
      processId = Number(/^process_id:(\d+)/m.exec(await own.admin.info('server'))?.[1]);
      return { REDIS_URL: own.url, MONGODB_TIMEOUT_MS: String(limit) };
    },
  });
  // A frozen process cannot end.
  afterEach(() => process.kill(processId, 'SIGCONT'));
  after(() => own.close());

  it('requests get a response in time, entries are accepted, and are processed afterwards', async () => {
    const { id } = await createRunningScenario(service);
    process.kill(processId, 'SIGSTOP');
    const start = performance.now();
    const [read, ...accepted] = await Promise.all([
      service.request('GET', `/api/v1/scenarios/${id}`),
      ingest(service, id, { message: 'a' }, { headers: { Prefer: 'respond-async' } }),
      ingest(service, id, [{ message: 'b' }]),
      service.request('POST', `/ingest/${id}`, { headers: { 'Content-Type': 'text/plain' }, body: 'c' }),
    ]);
    expect(performance.now() - start).to.be.below(tolerance * limit);
    expect(read.status).to.equal(200);
    expect(accepted.map(({ status }) => status)).to.deep.equal([202, 202, 200]);
    expect((await getMetrics(service, id)).totals.pending_entries).to.equal(3);
    process.kill(processId, 'SIGCONT');
    await service.startWorkers();
    await waitUntil('the entries to be counted', async () => (await getMetrics(service, id)).totals.logs === 3);
    await service.stopWorkers();
  });
});
