import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { encode, exportLogs, requestOf, textRecord } from '../support/otlp.ts';
import { deleteKeys, findKeys } from '../support/redis-keys.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('accepted entries that Redis has lost', () => {
  const service = startTestService({
    workers: false,
    environment: { INGEST_WAIT_MS: '0', INGEST_MAX_OVERFLOW_BYTES: '0' },
  });
  const waiting = startTestService({ workers: false, environment: { INGEST_WAIT_MS: '60000' } });
  const loseRedis = () => deleteKeys(service.config.redisUrl, `${service.config.redisPrefix}:`);
  const spooled = () => findKeys(service.app.redis, `${service.config.redisPrefix}:{ingest-entries}:spool:*`);
  const logsOf = async (id: string) => (await getMetrics(service, id)).totals.logs;

  const lines = Array.from({ length: 2500 }, (_, index) => `line ${index}\n`).join('');
  const keyed = (): Record<string, string> => ({ 'Idempotency-Key': randomUUID() });
  /**
   * Requests that get their responses before their entries are in the database, with the number of
   * their entries.
   */
  const accepted: [string, number, number, (id: string, headers: Record<string, string>) => Promise<TestResponse>][] = [
    [
      'a batch that gets 202',
      202,
      3,
      (id, headers) =>
        ingest(service, id, [{ message: 'a' }, { text: 'b' }, { message: 'c' }, { message: 'd' }], {
          headers,
          query: '?partial=true',
        }),
    ],
    ['a list as it was sent, which gets 202', 202, 2, (id, headers) => ingest(service, id, twoEntries, { headers })],
    [
      'three batches that get a summary',
      200,
      2500,
      (id, headers) =>
        service.request('POST', `/ingest/${id}`, {
          body: lines,
          headers: { 'Content-Type': 'text/plain', ...headers },
        }),
    ],
    [
      'log records of OpenTelemetry',
      200,
      1,
      (id, headers) => exportLogs(service, id, encode(requestOf([textRecord('a')]), 'json'), 'json', { headers }),
    ],
  ];
  const twoEntries = [{ message: 'a' }, { message: 'b' }];

  const flush = () =>
    waitUntil('everything to be processed', async () => (await service.request('POST', '/flush')).status === 200);
  async function processAll(): Promise<void> {
    await service.startWorkers();
    try {
      await flush();
    } finally {
      await service.stopWorkers();
    }
  }
  function expectReplay(again: TestResponse, first: TestResponse): void {
    expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
    expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
  }

  for (const [what, status, count, send] of accepted) {
    it(`lost entries are counted once after a repeat with their key: ${what}`, async () => {
      const { id } = await createRunningScenario(service);
      const headers = keyed();
      const first = await send(id, headers);
      expect(first.status, first.text).to.equal(status);
      await service.request('POST', `/api/v1/scenarios/${id}/stop`);
      await loseRedis();
      expectReplay(await send(id, headers), first);
      const again = await spooled();
      expect(again).not.to.deep.equal([]);
      // Nothing is lost now.
      const slots = `${service.config.redisPrefix}:{ingest-entries}:spool-slots`;
      const slotsBefore = await service.app.redis.zrange(slots, '0', '-1', 'WITHSCORES');
      expectReplay(await send(id, headers), first);
      expect(await service.app.redis.zrange(slots, '0', '-1', 'WITHSCORES')).to.deep.equal(slotsBefore);
      await service.startWorkers();
      await flush();
      expect(await logsOf(id)).to.equal(count);

      // Counted entries are known by their records, also after the roll-up and without any state in
      // Redis.
      const { usageRecord, logBatch } = service.app.models;
      await waitUntil('the roll-up', async () => (await usageRecord.countDocuments({ open: true })) === 0);
      await service.stopWorkers();
      await loseRedis();
      expectReplay(await send(id, headers), first);
      expect(await spooled()).to.deep.equal([]);
      await processAll();
      expect(await logsOf(id)).to.equal(count);
      expect(await logBatch.countDocuments({ scenarioId: id })).to.equal(Math.ceil(count / 1000));
    });
  }

  it('lost entries are counted once if several repeats arrive together while a worker processes them', async () => {
    const { id } = await createRunningScenario(service);
    const [headers, other] = [keyed(), keyed()];
    const send = accepted[2]?.[3] as (typeof accepted)[number][3];
    await send(id, headers);
    await ingest(service, id, twoEntries, { headers: other });
    await loseRedis();
    await service.startWorkers();
    const repeats = await Promise.all(
      Array.from({ length: 6 }, () => [send(id, headers), ingest(service, id, twoEntries, { headers: other })]).flat(),
    );
    for (const { status, text } of repeats) expect(status, text).to.be.oneOf([200, 202]);
    await waitUntil('the entries', async () => (await logsOf(id)) === 2502);
    await send(id, headers);
    await flush();
    expect(await logsOf(id)).to.equal(2502);
    expect(await service.app.models.logBatch.countDocuments({ scenarioId: id })).to.equal(4);
    await service.stopWorkers();
  });

  it('entries are counted if only the job is left of them, or only one of the two documents', async () => {
    const { id } = await createRunningScenario(service);
    const { models, queues, spool } = service.app;
    const headers = keyed();
    const send = () => ingest(service, id, twoEntries, { headers });
    const { body } = await send();
    await spool.clear(body.job_id);
    // A record that is removed after the roll-up would count twice.
    await queues['roll-up-usage'].queue.pause();
    await service.startWorkers();
    const jobState = async () => (await queues['ingest-entries'].queue.getJob(body.job_id))?.getState();
    await waitUntil('the job without entries to fail', async () => (await jobState()) === 'failed');
    expect((await send()).status).to.equal(202);
    await waitUntil('the entries', async () => (await logsOf(id)) === 2);
    await service.stopWorkers();
    for (const model of [models.usageRecord, models.logBatch] as const) {
      await loseRedis();
      await waitUntil(
        'the removal',
        async () => (await model.collection.deleteOne({ scenarioId: id })).deletedCount === 1,
      );
      expect((await send()).status).to.equal(202);
      await processAll();
      expect(await model.collection.countDocuments({ scenarioId: id })).to.equal(1);
    }
    expect(await logsOf(id)).to.equal(2);
  });

  it('entries get 503 if Redis loses them while their request waits for a worker', async () => {
    const { id } = await createRunningScenario(waiting);
    const pending = ingest(waiting, id, twoEntries, { headers: keyed() });
    const { redis, config } = waiting.app;
    const keys = await waitUntil('the entries in the queue', async () => {
      const found = await findKeys(redis, `${config.redisPrefix}:{ingest-entries}:spool:*`);
      const jobs = await waiting.app.queues['ingest-entries'].queue.getWaitingCount();
      return found.length === 1 && jobs === 1 && found;
    });
    await redis.del(...keys);
    await waiting.startWorkers();
    const response = await pending;
    expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(response.headers.get('Retry-After')).to.equal('2');
    await waiting.stopWorkers();
  });

  it('repeated entries are refused if the scenario has been deleted since', async () => {
    const { id } = await createRunningScenario(service);
    for (const [what, , , send] of accepted) {
      const headers = keyed();
      await send(id, headers);
      await loseRedis();
      await service.app.models.scenario.updateOne({ _id: id }, { $set: { deletedAt: new Date() } });
      expect((await send(id, headers)).status, what).to.equal(404);
      await service.app.models.scenario.updateOne({ _id: id }, { $set: { deletedAt: null } });
    }
    expect(await spooled()).to.deep.equal([]);
  });

  it('repeated entries wait for capacity of the spool, and keep their key', async () => {
    const { id } = await createRunningScenario(service);
    const headers = keyed();
    const send = () => ingest(service, id, twoEntries, { headers });
    const first = await send();
    await loseRedis();
    const slots = `${service.config.redisPrefix}:{ingest-entries}:spool-slots`;
    const { maxBatches } = service.config.ingest.backlog;
    const later = Date.now() + 60_000;
    const others = Array.from({ length: maxBatches }, (_, index) => [String(later), `other ${index}`]).flat();
    await service.app.redis.zadd(slots, ...others);
    expectError(await send(), 503, 'SERVICE_UNAVAILABLE');
    await service.app.redis.del(slots);
    expectReplay(await send(), first);
    expect(await spooled()).to.have.length(1);
  });
});
