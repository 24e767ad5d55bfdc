import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { minute } from '../../shared/durations.ts';
import { type RedisWithSentinel, startRedisWithSentinel } from '../support/redis-sentinel.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A sender would use a core during a failover. */
const pauseMs = 50;
/** A sweep every minute adds the jobs again that were lost more than a minute before. */
const untilSwept = 4 * minute;

describe('with a Redis that Sentinel watches', () => {
  let redis: RedisWithSentinel;
  const service = startTestService({
    environment: async () => {
      redis = await startRedisWithSentinel();
      return { REDIS_URL: redis.url };
    },
  });
  after(() => redis.close());

  it('accepts entries while the master is killed, goes on by itself, and counts each of them once', async () => {
    const { id } = await createRunningScenario(service);
    let accepted = 0;
    const send = async () => {
      const { status } = await ingest(service, id, { message: randomUUID() });
      expect(status).to.be.oneOf([200, 202]);
      accepted += 1;
      return status;
    };
    expect(await send()).to.equal(200);
    const failover = redis.failOver();
    const hasEnded = failover.then(() => true);
    while (!(await Promise.race([hasEnded, delay(pauseMs, false)]))) await send();
    await waitUntil('an entry to be processed', async () => (await send()) === 200);
    const isFlushed = async () => (await service.request('POST', '/flush')).status === 200;
    await waitUntil('all jobs to end', isFlushed, untilSwept);
    expect((await getMetrics(service, id)).totals.logs).to.equal(accepted);
  });
});
