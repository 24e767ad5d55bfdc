import { expect } from 'chai';
import { second } from '../../shared/durations.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
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

  it('requests get a response in time, 503 where they need Redis, and the service goes on afterwards', async () => {
    const { id } = await createRunningScenario(service);
    const send = () => ingest(service, id, { message: 'a' }, { headers: { Prefer: 'respond-async' } });
    process.kill(processId, 'SIGSTOP');
    const start = performance.now();
    const [read, refused] = await Promise.all([service.request('GET', `/api/v1/scenarios/${id}`), send()]);
    expect(performance.now() - start).to.be.below(tolerance * limit);
    expect(read.status).to.equal(200);
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(Number(refused.headers.get('Retry-After'))).to.be.greaterThan(0);
    process.kill(processId, 'SIGCONT');
    await waitUntil('an entry to be accepted', async () => (await send()).status === 202);
  });
});
