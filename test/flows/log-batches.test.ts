import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sweepFailedBatches } from '../../workers/ingest/queued-batches.ts';
import { createAccount } from '../support/accounts.ts';
import { encode, exportLogs, requestOf, textRecord } from '../support/otlp.ts';
import { createRunningScenario, expectError, flushAll, getMetrics, ingest, processAll } from '../support/requests.ts';
import { deleteKeys } from '../support/test-servers.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('accepted entries', () => {
  const service = startTestService({
    workers: false,
    environment: { INGEST_WAIT_MS: '0' },
    config: { flushWaitMs: 500 },
  });
  const loseRedis = () => deleteKeys(service.config.redisUrl, `${service.config.redisPrefix}:`);
  const logsOf = async (id: string) => (await getMetrics(service, id)).totals.logs;
  const rowsOf = (scenarioId: string) => service.app.models.logBatch.countDocuments({ scenarioId });
  const queue = () => service.app.queues['ingest-entries'].queue;
  const keyed = (): Record<string, string> => ({ 'Idempotency-Key': randomUUID() });

  const lines = Array.from({ length: 2500 }, (_, index) => `line ${index}\n`).join('');
  const twoEntries = [{ message: 'a' }, { message: 'b' }];
  const sendLines = (id: string, headers: Record<string, string>) =>
    service.request('POST', `/ingest/${id}`, { body: lines, headers: { 'Content-Type': 'text/plain', ...headers } });
  /** Requests whose responses precede the worker, and the number of their entries. */
  const requests: [string, number, number, (id: string, headers: Record<string, string>) => Promise<TestResponse>][] = [
    [
      'a batch that gets 202',
      202,
      3,
      (id, headers) => {
        const entries = [{ message: 'a' }, { text: 'b' }, { message: 'c' }, { message: 'd' }];
        return ingest(service, id, entries, { headers, query: '?partial=true' });
      },
    ],
    ['a list as it was sent', 202, 2, (id, headers) => ingest(service, id, twoEntries, { headers })],
    ['three batches that get a summary', 200, 2500, sendLines],
    [
      'log records of OpenTelemetry',
      200,
      1,
      (id, headers) => exportLogs(service, id, encode(requestOf([textRecord('a')]), 'json'), 'json', { headers }),
    ],
  ];

  for (const [what, status, count, send] of requests) {
    it(`entries count once after Redis has lost everything, with a repeat or without: ${what}`, async () => {
      const { id } = await createRunningScenario(service);
      const headers = keyed();
      const first = await send(id, headers);
      expect(first.status, first.text).to.equal(status);
      expect(await send(id, {})).to.include({ status });
      await service.request('POST', `/api/v1/scenarios/${id}/stop`);
      await loseRedis();
      const again = await send(id, headers);
      expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
      expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
      await loseRedis();
      await processAll(service);
      expect(await logsOf(id)).to.equal(2 * count);
      await loseRedis();
      expect((await send(id, headers)).status).to.be.oneOf([200, 207]);
      await processAll(service);
      expect(await logsOf(id)).to.equal(2 * count);
      expect(await rowsOf(id)).to.equal(2 * Math.ceil(count / 1000));
    });
  }

  it('entries are completed by a repeat if the process ended after the first of several rows', async () => {
    const { id } = await createRunningScenario(service);
    const headers = keyed();
    expect((await sendLines(id, headers)).status).to.equal(200);
    await service.app.models.logBatch.deleteMany({ scenarioId: id, count: 500 });
    await loseRedis();
    expect((await sendLines(id, headers)).status).to.equal(200);
    expect(await rowsOf(id)).to.equal(3);
    await processAll(service);
    expect(await logsOf(id)).to.equal(2500);
  });

  it('entries go with their scenario, also if they were accepted while it was being deleted', async () => {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, twoEntries);
    const row = await service.app.models.logBatch.collection.findOne({ _id: body.job_id });
    expect((await service.request('DELETE', `/api/v1/scenarios/${id}`)).status).to.equal(204);
    await processAll(service);
    await waitUntil('the deletion', async () => (await rowsOf(id)) === 0);
    await service.app.models.logBatch.collection.insertOne(row as never);
    await service.startWorkers();
    await waitUntil('the late row to be removed', async () => (await rowsOf(id)) === 0);
    await service.stopWorkers();
    expectError(await service.request('GET', body.status_url), 404, 'NOT_FOUND');
  });

  it('entries count once if their job is delivered again', async () => {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, twoEntries);
    const { data } = (await queue().getJob(body.job_id)) ?? {};
    await processAll(service);
    await (await queue().getJob(body.job_id))?.remove();
    await service.app.queues['ingest-entries'].add(data, { jobId: body.job_id });
    await service.startWorkers();
    await waitUntil('the second delivery', async () => (await queue().getJob(body.job_id))?.isCompleted() ?? false);
    await service.stopWorkers();
    expect(await logsOf(id)).to.equal(2);
  });

  it('entries are failed after the last attempt, are reported as such, and count after a retry on the dashboard', async () => {
    const { id } = await createRunningScenario(service);
    const { body } = await ingest(service, id, twoEntries);
    const { logBatch } = service.app.models;
    const { text } = (await logBatch.findById(body.job_id).lean()) ?? {};
    const set = (fields: object) => logBatch.collection.updateOne({ _id: body.job_id }, { $set: fields });
    await set({ text: Buffer.from('damaged') });
    const job = await queue().getJob(body.job_id);
    await job?.remove();
    await queue().add('process log entries', job?.data, { jobId: body.job_id, attempts: 1 });
    await service.startWorkers();
    const state = async () => (await logBatch.findById(body.job_id).lean())?.state;
    await waitUntil('the last attempt', async () => (await state()) === 'failed');
    const failed = await service.request('GET', body.status_url);
    expect(failed.body).to.include({ status: 'failed', accepted: 2 });
    expect(failed.body.error.code).to.equal('SERVICE_UNAVAILABLE');
    expect((await getMetrics(service, id)).totals).to.include({ logs: 0, pending_entries: 0, failed_entries: 2 });
    await flushAll(service);

    await (await queue().getJob(body.job_id))?.remove();
    await sweepFailedBatches(service.app);
    const putBack = () => queue().getJob(body.job_id);
    await waitUntil('the job to be back, as failed', async () => (await (await putBack())?.isFailed()) ?? false);
    expect(await state()).to.equal('failed');
    await set({ text });
    await (await putBack())?.retry();
    await waitUntil('the retry', async () => (await state()) === 'stored');
    await service.stopWorkers();
    expect((await getMetrics(service, id)).totals).to.include({ logs: 2, pending_entries: 0, failed_entries: 0 });
  });

  it('entries are pending in the metrics until a worker has them, and a report waits for them', async () => {
    const { id } = await createRunningScenario(service);
    await ingest(service, id, twoEntries);
    expect((await getMetrics(service, id)).totals).to.include({ logs: 0, pending_entries: 2, failed_entries: 0 });
    const account = await createAccount(service);
    const body = { format: 'csv' };
    const { body: report } = await service.request('POST', `/api/v1/scenarios/${id}/reports`, { ...account, body });
    await service.startWorkers();
    const path = `/api/v1/reports/${report.id}`;
    await waitUntil('the report', async () => (await service.request('GET', path, account)).body.status === 'ready');
    const { text } = await service.request('GET', `${path}/download`, account);
    await service.stopWorkers();
    expect(text).to.match(/^[^\n]*logs[^]*,2,/m);
  });
});
