import { expect } from 'chai';
import { day } from '../../../shared/durations.ts';
import type { LogBatch } from '../../../shared/ingest/log-batch.model.ts';
import { removeLogs } from '../../../workers/purge/purge.processor.ts';
import { createRunningScenario, getMetrics, ingest } from '../../support/requests.ts';
import { buildStoredBatch, isRolledUp } from '../../support/stored-batches.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The default. */
const retentionDays = 90;
const daysAgo = (days: number) => new Date(Date.now() - days * day);

describe('the retention of logs', () => {
  const service = startTestService();
  const remove = () => removeLogs(service.app);
  const count = () => removeLogs(service.app, true);
  const batches = () => service.app.models.logBatch;

  it('removes batches that were counted long ago, and no metrics', async () => {
    const { id } = await createRunningScenario(service);
    const { id: recent } = await createRunningScenario(service);
    for (const scenarioId of [id, id, recent]) await ingest(service, scenarioId, [{ message: 'a' }, { message: 'b' }]);
    const { models } = service.app;
    await waitUntil('the roll-ups', async () => (await isRolledUp(models, id)) && isRolledUp(models, recent));
    const before = await getMetrics(service, id);
    expect(before.totals.logs).to.equal(4);
    await batches().updateMany({ scenarioId: id }, { countedAt: daysAgo(retentionDays + 1) });
    await batches().updateMany({ scenarioId: recent }, { countedAt: daysAgo(retentionDays - 1) });
    expect(await count()).to.equal(2);
    expect(await remove()).to.equal(2);
    expect(await count()).to.equal(0);
    expect(await batches().countDocuments({ scenarioId: id })).to.equal(0);
    expect(await batches().countDocuments({ scenarioId: recent })).to.equal(1);
    expect(await getMetrics(service, id)).to.deep.equal(before);
    expect(await remove()).to.equal(0);
  });

  it('keeps what is not counted, and what has failed in the last seven days', async () => {
    const { id } = await createRunningScenario(service);
    const old = { receivedAt: daysAgo(1_000) };
    const cases: (Partial<LogBatch> & { _id: string })[] = [
      { _id: `${id} queued`, state: 'queued' },
      { _id: `${id} stored`, state: 'stored' },
      { _id: `${id} failed`, state: 'failed', failedAt: daysAgo(6) },
      { _id: `${id} failed long ago`, state: 'failed', failedAt: daysAgo(8) },
    ];
    const stored = cases.map((overrides) => buildStoredBatch(id, [], { ...old, ...overrides }));
    await batches().collection.insertMany(stored as never[]);
    expect(await remove()).to.equal(1);
    const left = await batches().find({ scenarioId: id }, { _id: 1 }).lean();
    expect(left.map(({ _id }) => _id)).to.have.members(cases.slice(0, 3).map(({ _id }) => _id));
  });

  it('removes more than one operation does', async () => {
    const { id } = await createRunningScenario(service);
    const old = { counted: true, countedAt: new Date(0) };
    const stored = Array.from({ length: 1_200 }, () => buildStoredBatch(id, [], old));
    await batches().collection.insertMany(stored as never[]);
    expect(await remove()).to.equal(1_200);
  });
});
