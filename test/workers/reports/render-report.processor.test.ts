import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { hashBytes, packEntries } from '../../../shared/ingest/log-batch.model.ts';
import { renderingJobId } from '../../../shared/reports/render-report.queue.ts';
import { sweepReports, watchAttempt } from '../../../workers/reports/render-report.processor.ts';
import { createSender, type Sender } from '../../support/members.ts';
import { finishedReport, requestReport } from '../../support/reports.ts';
import { createRunningScenario, createScenario, expectError, ingest } from '../../support/requests.ts';
import { buildStoredBatch } from '../../support/stored-batches.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

const never = new AbortController().signal;

describe('the rendering of a report', () => {
  const service = startTestService({ workers: false });
  let sender: Sender;
  let scenarioId: string;
  before(async () => {
    sender = await createSender(service);
    ({ id: scenarioId } = await createRunningScenario(service));
    await service.startWorkers();
    await ingest(service, scenarioId, [{ message: 'a' }]);
  });
  const reportModel = () => service.app.models.report;
  const chunksOf = (id: unknown) =>
    service.app.mongo.collection('report_files.chunks').countDocuments({ files_id: id });
  const bytes = async function* (size: number) {
    for (let sent = 0; sent < size; sent += 100_000) yield Buffer.alloc(Math.min(100_000, size - sent), sent / 100_000);
  };
  /** A report that workers have begun to render so many times, before they were killed. */
  const abandonedReport = async (attempts = 1) => {
    await service.stopWorkers();
    const { id } = await requestReport(sender, scenarioId);
    const fileId = new mongo.ObjectId();
    await service.app.reportFiles.put(fileId, bytes(600_000), never);
    await service.app.mongo.collection('report_files.files').deleteOne({ _id: fileId });
    await reportModel().updateOne({ _id: id }, { status: 'rendering', attempts, fileId });
    await service.startWorkers();
    return { id, fileId };
  };

  it('is repeated after a worker was killed, and removes what it had written', async () => {
    const { id, fileId } = await abandonedReport();
    expect((await finishedReport(sender, id)).status).to.equal('ready');
    expect(await chunksOf(fileId)).to.equal(0);
    expect(await reportModel().findById(id).lean()).to.include({ attempts: 2 });
  });

  it('fails if workers have died in all of its attempts', async () => {
    const { id } = await abandonedReport(5);
    await finishedReport(sender, id);
    const { error } = (await reportModel().findById(id).lean()) ?? {};
    expect(error).to.include({ message: 'The report could not be rendered in 5 attempts.' });
  });

  it('is begun by the sweep if its job was lost', async () => {
    const { id } = await createScenario(service);
    await service.stopWorkers();
    const report = await requestReport(sender, id);
    const { queue } = service.app.queues['render-csv'];
    await queue.remove(renderingJobId(report.id));
    await sweepReports(service.app);
    expect(await queue.getJob(renderingJobId(report.id)), 'too early').to.equal(undefined);
    await reportModel().updateOne({ _id: report.id }, { createdAt: new Date(Date.now() - 120_000) });
    await Promise.all([sweepReports(service.app), sweepReports(service.app)]);
    await service.startWorkers();
    expect((await finishedReport(sender, report.id)).status).to.equal('ready');
  });

  /** A report that has failed, because a log batch of its scenario is damaged. */
  const failedReport = async () => {
    const { id } = await createScenario(service);
    const broken = { ...buildStoredBatch(id, [], { counted: true }), _id: randomUUID() as never };
    await service.app.models.logBatch.collection.insertOne(broken);
    await service.stopWorkers();
    const report = await requestReport(sender, id, { format: 'csv', detail: 'entries' });
    await reportModel().updateOne({ _id: report.id }, { attempts: 4 });
    await service.startWorkers();
    const failed = await finishedReport(sender, report.id);
    expect(failed).to.deep.include({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR', message: 'The report could not be rendered.' },
    });
    const repair = () => service.app.models.logBatch.collection.deleteOne({ _id: broken._id });
    return { report, repair };
  };

  it('fails after the last attempt, with an error for callers', async () => {
    const { report } = await failedReport();
    expectError(await sender.send('GET', `/api/v1/reports/${report.id}/download`), 409, 'INVALID_STATE');
    const { fileId } = (await reportModel().findById(report.id).lean()) ?? {};
    expect(await chunksOf(fileId)).to.equal(0);
  });

  it('does not count attempts that find entries of before which are not processed', async () => {
    const { id } = await createScenario(service);
    const queued = { ...buildStoredBatch(id, []), state: 'queued', receivedAt: new Date(), _id: randomUUID() as never };
    await service.app.models.logBatch.collection.insertOne(queued);
    const report = await requestReport(sender, id, { format: 'csv' });
    const job = () => service.app.queues['render-csv'].queue.getJob(renderingJobId(report.id));
    await waitUntil('an attempt', async () => ((await job())?.attemptsMade ?? 0) > 0);
    expect((await reportModel().findById(report.id).lean())?.status).to.equal('rendering');
    await service.app.models.logBatch.collection.deleteOne({ _id: queued._id });
    expect((await finishedReport(sender, report.id)).status).to.equal('ready');
    expect(await reportModel().findById(report.id).lean()).to.include({ attempts: 1 });
  });

  it('is repeated when its failed job is retried on the dashboard, which does not know of reports', async () => {
    const { report, repair } = await failedReport();
    await repair();
    const job = await service.app.queues['render-csv'].queue.getJob(renderingJobId(report.id));
    await job?.retry('failed');
    await waitUntil('the report', async () => (await finishedReport(sender, report.id)).status === 'ready');
    expect((await sender.send('GET', `/api/v1/reports/${report.id}/download`)).status).to.equal(200);
    expect(await reportModel().findById(report.id).lean()).to.include({ attempts: 1 });
  });

  it('ends when the report is deleted, and leaves no file', async () => {
    const { id } = await createScenario(service);
    // A file of many megabytes, so that the deletion finds it half written.
    const ones = Array<number>(1_000).fill(1);
    const previews = ones.map(() => 'b'.repeat(200));
    const hashes = new Uint8Array(ones.length * hashBytes);
    const batch = {
      scenarioId: id,
      receivedAt: new Date(),
      queueType: 'standard',
      architecture: 'x86_64',
      commonUsage: { queueRequests: 1, memoryMb: 128, billedMs: 1, model: 'm', outputTokens: 1 },
      packed: packEntries({ sizeBytes: ones, inputTokens: ones }, previews, hashes),
    };
    for (let count = 0; count < 30; count += 1) {
      await service.app.models.logBatch.collection.insertOne({ ...batch, _id: randomUUID() as never });
    }
    const report = await requestReport(sender, id, { format: 'csv', detail: 'entries' });
    const begun = await waitUntil('the first bytes', async () => {
      const { fileId } = (await reportModel().findById(report.id).lean()) ?? {};
      return fileId && (await chunksOf(fileId)) > 0 ? fileId : undefined;
    });
    expect((await sender.send('DELETE', `/api/v1/reports/${report.id}`)).status).to.equal(204);
    const job = async () => service.app.queues['render-csv'].queue.getJob(renderingJobId(report.id));
    await waitUntil('the job to end', async () => ((await job())?.finishedOn ?? 0) > 0);
    await waitUntil('the file to be removed', async () => (await chunksOf(begun)) === 0);
  });

  it('stops once another attempt has begun', async () => {
    const written: unknown[] = [];
    const watch = watchAttempt(
      async (change) => written.push(change) < 2,
      () => {},
    );
    watch.setProgress(7);
    await waitUntil('the progress', async () => written.length === 1);
    expect([written, watch.signal.aborted]).to.deep.equal([[{ progress: 7 }], false]);
    await waitUntil('the end', async () => watch.signal.aborted);
    watch.end();
  });
});
