import { expect } from 'chai';
import { isLongForm } from '../support/long-form.ts';
import { type RedisWithSentinel, startRedisWithSentinel } from '../support/redis-sentinel.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
import { sendUntilEnd } from '../support/send-until-end.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const failovers = isLongForm ? 3 : 1;

/** With capacity for two batches, of which a caller has half, others overflow. */
const capacities = [
  ['capacity for all entries', {}],
  ['capacity for few entries', { INGEST_MAX_BACKLOG: '2' }],
] as const;

for (const [capacity, variables] of isLongForm ? capacities : capacities.slice(0, 1)) {
  describe(`with a Redis that Sentinel watches, and ${capacity}`, () => {
    let redis: RedisWithSentinel;
    const service = startTestService({
      environment: async () => {
        redis = await startRedisWithSentinel();
        return { REDIS_URL: redis.url, REDIS_WAIT_REPLICAS: '1', ...variables };
      },
    });
    after(() => redis.close());

    it('loses nothing that it acknowledged and counts nothing twice while masters are killed', async () => {
      const hasOverflow = async () => (await service.app.models.overflowedBatch.findOne()) !== null;
      await sendUntilEnd(service, {
        disturbances: failovers,
        disturb: async () => {
          if (variables !== capacities[0][1]) await waitUntil('a batch to overflow', hasOverflow);
          await redis.failOver();
        },
      });
    });
  });
}

describe('with fewer replicas of Redis than must confirm', () => {
  // More than the Redis of any run has.
  const service = startTestService({ environment: { REDIS_WAIT_REPLICAS: '5' } });

  it('refuses with 503 what only Redis has, and answers what the database has', async () => {
    const { id } = await createRunningScenario(service);
    const send = (answer: string) =>
      service.request('POST', `/ingest/${id}?answer=${answer}`, { body: [{ message: answer }] });
    // The waits are of one connection, so other commands of the process do not wait for them.
    const refusals = await Promise.all([send('summary'), send('summary'), send('summary')]);
    for (const refused of refusals) {
      expectError(refused, 503, 'SERVICE_UNAVAILABLE');
      expect(refused.body.error.message).to.contain('too few replicas');
      expect(Number(refused.headers.get('Retry-After'))).to.be.greaterThan(0);
    }
    const waiting = send('summary');
    expect((await service.request('GET', '/health/ready')).status).to.equal(200);
    expectError(await waiting, 503, 'SERVICE_UNAVAILABLE');
    const later = await ingest(service, id, { message: 'async' }, { headers: { Prefer: 'respond-async' } });
    expectError(later, 503, 'SERVICE_UNAVAILABLE');
    expect((await send('stored')).status).to.equal(200);
    expect((await ingest(service, id, { message: 'full' })).status).to.equal(200);
  });
});
