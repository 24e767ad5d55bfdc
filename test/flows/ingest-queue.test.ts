import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { processEntries } from '../../api/ingest/process-entries.ts';
import { decrypt } from '../../shared/crypto/encryption.ts';
import { openSpooledBatch } from '../../shared/ingest/spooled-batch.ts';
import { createAccount } from '../support/accounts.ts';
import { findKeys } from '../support/redis-keys.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('ingest without workers', () => {
  const service = startTestService({
    workers: false,
    environment: {
      INGEST_WAIT_MS: '50',
      INGEST_MAX_BACKLOG: '8',
      INGEST_MAX_OVERFLOW_BYTES: '0',
      FLUSH_WAIT_MS: '100',
    },
  });

  it('accepts entries up to the share of the backlog, responds with 429 at it, and continues when workers start', async () => {
    const { id } = await createRunningScenario(service);
    const statusUrls: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const response = await ingest(service, id, [{ message: `line ${index}` }]);
      expect(response.status, response.text).to.equal(202);
      expect(response.headers.get('Location')).to.equal(response.body.status_url);
      statusUrls.push(response.body.status_url);
    }
    const spooled = () => findKeys(service.app.redis, `${service.config.redisPrefix}:{ingest-entries}:spool:*`);
    expect(await spooled()).to.have.length(4);
    const full = await ingest(service, id, [{ message: 'one too many' }]);
    expectError(full, 429, 'RATE_LIMITED');
    expect(Number(full.headers.get('Retry-After'))).to.be.greaterThan(0);
    expect(await spooled(), 'a refused entry is not stored').to.have.length(4);
    const draft = await createScenario(service);
    const another = await createAccount(service);
    expectError(await ingest(service, draft.id, { message: 'a' }, another), 409, 'INVALID_STATE');
    expectError(await ingest(service, randomUUID(), { message: 'a' }, another), 404, 'NOT_FOUND');

    const queued = await service.request('GET', statusUrls[0] ?? '');
    expect(queued.body).to.include({ status: 'queued', accepted: 1, scenario_id: id, results: null });
    const flush = await service.request('POST', '/flush');
    expectError(flush, 503, 'SERVICE_UNAVAILABLE');
    expect(flush.headers.get('Retry-After')).not.to.equal(null);
    expect((await getMetrics(service, id)).totals.logs).to.equal(0);
    const ready = await service.request('GET', '/health/ready?for=all');
    expect(ready.status).to.equal(503);
    expect(ready.body.checks).to.deep.equal({
      mongodb: 'up',
      indexes: 'up',
      redis: 'up',
      worker: 'down',
      queues: 'down',
      notebook_backend: 'down',
      report_store: 'up',
    });
    expect(ready.body.error.details).to.deep.equal([
      { field: 'worker', error: 'is down' },
      { field: 'notebook_backend', error: 'is down: no worker has probed it yet' },
      { field: 'queues', error: 'is down' },
      { field: 'queues.append-audit-records', error: 'has jobs, and no worker serves it' },
      { field: 'queues.ingest-entries', error: 'has jobs, and no worker serves it' },
    ]);

    const other = await createScenario(service);
    const others = await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': other.id } });
    expect(others.status, 'another scenario has no pending jobs').to.equal(200);

    // A stopped scenario refuses new entries, and its accepted ones are still processed.
    await service.request('POST', `/api/v1/scenarios/${id}/stop`);
    await service.startWorkers();
    for (;;) {
      if ((await service.request('POST', '/flush')).status === 200) break;
    }
    expect((await getMetrics(service, id)).totals.logs).to.equal(4);
    for (const url of statusUrls) expect((await service.request('GET', url)).body.status).to.equal('completed');
    expect(await spooled(), 'the spool is cleared').to.deep.equal([]);
    const { status, checks } = (await service.request('GET', '/health/ready?for=ingest')).body;
    expect({ status, checks }).to.deep.equal({
      status: 'ready',
      checks: {
        mongodb: 'up',
        indexes: 'up',
        redis: 'up',
        worker: 'up',
        queues: 'up',
        notebook_backend: 'down',
        report_store: 'up',
      },
    });
    await service.stopWorkers();
  });

  it('keeps nothing of entries that a scenario refuses, and names its error before those of the body', async () => {
    const { redis, queues, config } = service.app;
    const another = await createAccount(service);
    const draft = await createScenario(service);
    const jobs = async () => (await queues['ingest-entries'].queue.getJobCounts())['waiting'];
    const jobsBefore = await jobs();
    for (const body of [{ message: 'a' }, { text: 'a' }, '{', []]) {
      expectError(await ingest(service, draft.id, body, another), 409, 'INVALID_STATE');
      expectError(await ingest(service, randomUUID(), body, another), 404, 'NOT_FOUND');
    }
    expect(await findKeys(redis, `${config.redisPrefix}:{ingest-entries}:spool:*`)).to.deep.equal([]);
    expect(await redis.zcard(`${config.redisPrefix}:{ingest-entries}:spool-slots`)).to.equal(0);
    expect(await jobs()).to.equal(jobsBefore);
  });

  it('leaves the entries of the first request in the spool if the repeated one is refused', async () => {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, [{ message: 'first' }], await createAccount(service));
    const spooled = () => service.app.spool.readEncrypted(body.job_id);
    const before = await spooled();
    const repeated = processEntries(
      { batchId: body.job_id, scenarioId: id, requestId: randomUUID(), count: 1 },
      { receivedAt: Date.now(), entries: [{ index: 0, message: 'first', timestamp: Date.now() }] },
      Promise.reject(new Error('stopped')),
      { wait: true, attemptedBefore: true },
      service.app,
    );
    expect(await repeated.catch((error: unknown) => (error as Error).message)).to.equal('stopped');
    expect(before).not.to.equal(null);
    expect(await spooled()).to.deep.equal(before);
    await service.app.queues['ingest-entries'].queue.remove(body.job_id);
    await service.app.spool.clear(body.job_id);
  });

  it('spools entries as they were sent, unless they had to be converted or are hidden in much else', async () => {
    const { id } = await createRunningScenario(service);
    // A caller that has used its share is paused for a second.
    const account = await createAccount(service);
    const spoolKey = service.config.keys.spool;
    const spool = async (text: string, query = '') => {
      const { body, status } = await ingest(service, id, text, {
        query,
        headers: { ...account.headers, 'Content-Type': 'application/json' },
      });
      expect(status, text.slice(0, 200)).to.equal(202);
      const encrypted = await service.app.spool.readEncrypted(body.job_id);
      const content = decrypt(spoolKey, encrypted as Buffer, body.job_id).toString();
      await service.app.queues['ingest-entries'].queue.remove(body.job_id);
      await service.app.spool.clear(body.job_id);
      return content.slice(content.indexOf('"items":[') + '"items":['.length, -']}'.length);
    };
    const first = '{ "message":"\\u0061","level":"info" }';
    for (const [text, sent] of [
      [first, first],
      [`[${first},\n{"message":"b"} ]`, `${first},\n{"message":"b"} `],
      [`{"logs":[${first}]}`, first],
    ] as const) {
      expect(await spool(text), text).to.equal(sent);
    }
    const values = '{"message":"a","level":"info"}';
    for (const text of [
      `[${first}][{"message":"b"}]`,
      `${first}\n{"message":"b"}`,
      `[${first},{"log":"b"}]`,
      `[${first},{"message":"b","timestamp":"2026-05-01T00:00:00Z"}]`,
      `[{"message":"${'hidden'.repeat(200)}",${first.slice(1)}, {"message":"b"}]`,
      `[${' '.repeat(1000)}${first},{"message":"b"}]`,
    ]) {
      const spooled = JSON.parse(`[${await spool(text)}]`);
      expect(spooled[0], text).to.deep.equal(JSON.parse(values));
      expect(spooled[1].message, text).to.equal('b');
    }
    const partial = await spool(`[{"message":""},${first}]`, '?partial=true');
    expect(JSON.parse(partial)).to.deep.equal({ ...JSON.parse(values), index: 1 });
  });

  it('drops the entries of a deleted scenario, and reports it in the ingest job', async () => {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, [{ message: 'for nothing' }], await createAccount(service));
    await service.request('DELETE', `/api/v1/scenarios/${id}`);
    await service.startWorkers();
    for (;;) {
      if ((await service.request('POST', '/flush')).status === 200) break;
    }
    const job = await service.request('GET', body.status_url);
    expect(job.body).to.deep.include({ status: 'failed', results: null });
    expect(job.body.error.code).to.equal('NOT_FOUND');
    expect(await service.app.models.logBatch.countDocuments({ scenarioId: id })).to.equal(0);
    expect(await findKeys(service.app.redis, `${service.config.redisPrefix}:{ingest-entries}:spool:*`)).to.deep.equal(
      [],
    );
    await service.stopWorkers();
  });
});

describe('an ingest job that is delivered twice', () => {
  const service = startTestService({ workers: false, environment: { INGEST_WAIT_MS: '0' } });

  it('leaves no data of a scenario that was deleted between the deliveries', async () => {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, [{ message: 'cut off' }]);
    const { models, queues } = service.app;
    // The state after a first delivery that was killed after its writes, and after the deletion of
    // the scenario.
    await models.logBatch.collection.insertOne({ _id: body.job_id, scenarioId: id, entries: [] });
    await models.usageRecord.collection.insertOne({ _id: body.job_id, scenarioId: id, open: true, hours: [] });
    await models.scenario.deleteOne({ _id: id });
    await service.startWorkers();
    await waitUntil('the job to fail', async () => {
      const job = await queues['ingest-entries'].queue.getJob(body.job_id);
      return job?.failedReason?.startsWith('NOT_FOUND') ?? false;
    });
    expect(await models.logBatch.countDocuments({ scenarioId: id })).to.equal(0);
    expect(await models.usageRecord.countDocuments({ scenarioId: id })).to.equal(0);
    await service.stopWorkers();
  });

  it('has no effect the second time, with or without its spool', async () => {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, [{ message: 'once' }, { message: 'twice' }]);
    const { spool, queues } = service.app;
    const { queue } = queues['ingest-entries'];
    const encrypted = await spool.readEncrypted(body.job_id);
    if (!encrypted) throw new Error('the batch is not in the spool');
    const batch = openSpooledBatch([service.config.keys.spool], encrypted, body.job_id);
    const flush = async () => {
      for (;;) if ((await service.request('POST', '/flush')).status === 200) return;
    };
    await service.startWorkers();
    await flush();
    const { data } = (await queue.getJob(body.job_id)) ?? {};
    // The second delivery, with the original spool and with a cleared spool.
    for (const spooled of [true, false]) {
      await (await queue.getJob(body.job_id))?.remove();
      if (spooled) await spool.write(body.job_id, batch, service.config.ingest.backlog);
      await queues['ingest-entries'].add(data, { jobId: body.job_id });
      await flush();
      expect(await (await queue.getJob(body.job_id))?.getState()).to.equal('completed');
      expect((await getMetrics(service, id)).totals.logs).to.equal(2);
      expect(await service.app.models.logBatch.countDocuments({ scenarioId: id })).to.equal(1);
    }
    await service.stopWorkers();
  });
});
