import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { minute } from '../../shared/durations.ts';
import { type RedisWithSentinel, startRedisWithSentinel } from '../support/redis-sentinel.ts';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const entriesOfRequest = 5;
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

  /** Sends to a scenario of its own: each request once, or with its key until it is 200. */
  async function createSender(repeats: boolean) {
    const { id } = await createRunningScenario(service);
    const counts = { sent: 0, acknowledged: 0 };
    const sendUntil = async (end: AbortSignal) => {
      while (!end.aborted) {
        const body = Array.from({ length: entriesOfRequest }, () => ({ message: randomUUID() }));
        const headers: Record<string, string> = repeats ? { 'Idempotency-Key': randomUUID() } : {};
        counts.sent += entriesOfRequest;
        await waitUntil('the entries to be stored', async () => {
          const { status } = await service.request('POST', `/ingest/${id}?answer=full`, { headers, body });
          expect(status).to.be.oneOf([200, 202, 503]);
          if (repeats ? status === 200 : status < 300) counts.acknowledged += entriesOfRequest;
          return !repeats || status === 200;
        });
        await delay(pauseMs);
      }
    };
    return { id, counts, sendUntil };
  }

  it('loses nothing that it acknowledged and counts nothing twice while a master is killed', async () => {
    const senders = [await createSender(true), await createSender(false)];
    const end = new AbortController();
    const sending = Promise.all(senders.map(({ sendUntil }) => sendUntil(end.signal)));
    sending.catch(() => {});
    const waitForProgress = async () => {
      const before = senders.map(({ counts }) => counts.acknowledged);
      const haveContinued = () => senders.every(({ counts }, at) => counts.acknowledged > (before[at] ?? 0));
      await waitUntil('all senders to continue', haveContinued);
    };
    await waitForProgress();
    await redis.failOver();
    await waitForProgress();
    end.abort();
    await sending;
    const hasEnded = async () => (await service.request('POST', '/flush')).status === 200;
    await waitUntil('all jobs to end', hasEnded, untilSwept);
    for (const { id, counts } of senders) {
      expect((await getMetrics(service, id)).totals.logs).to.be.within(counts.acknowledged, counts.sent);
    }
    expect(senders[0]?.counts.acknowledged).to.equal(senders[0]?.counts.sent);
  });
});
