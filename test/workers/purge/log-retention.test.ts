import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { day } from '../../../shared/durations.ts';
import { countExpiredLogs, removeExpiredLogs } from '../../../workers/purge/log-retention.ts';
import { createRunningScenario, getMetrics, ingest } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The default. */
const retentionDays = 90;

describe('the retention of logs', () => {
  const service = startTestService();
  const remove = () => removeExpiredLogs(service.app);
  const count = () => countExpiredLogs(service.app);
  const isRolledUp = async (scenarioId: string) =>
    !(await service.app.models.usageRecord.exists({ scenarioId, open: true }));
  const countOf = async (scenarioId: string) => {
    const { logBatch, usageRecord } = service.app.models;
    return {
      batches: await logBatch.countDocuments({ scenarioId }),
      records: await usageRecord.countDocuments({ scenarioId }),
    };
  };
  /** As if everything that the scenario has logged had been received so many days ago. */
  const age = async (scenarioId: string, days: number) => {
    await service.app.models.logBatch.updateMany({ scenarioId }, { receivedAt: new Date(Date.now() - days * day) });
  };

  it('removes old log batches and their emptied usage records, and no metrics', async () => {
    const { id } = await createRunningScenario(service);
    const { id: recent } = await createRunningScenario(service);
    for (const scenarioId of [id, id, recent]) await ingest(service, scenarioId, [{ message: 'a' }, { message: 'b' }]);
    await waitUntil('the roll-ups', async () => (await isRolledUp(id)) && (await isRolledUp(recent)));
    const before = await getMetrics(service, id);
    expect(before.totals.logs).to.equal(4);
    await age(id, retentionDays + 1);
    await age(recent, retentionDays - 1);
    expect(await count()).to.equal(2);
    expect(await remove()).to.equal(2);
    expect(await count()).to.equal(0);
    expect(await countOf(id)).to.deep.equal({ batches: 0, records: 0 });
    expect(await countOf(recent)).to.deep.equal({ batches: 1, records: 1 });
    expect(await getMetrics(service, id)).to.deep.equal(before);
    expect(await remove()).to.equal(0);
  });

  it('keeps a batch whose usage is not rolled up, and adds the missing roll-up', async () => {
    const { id } = await createRunningScenario(service);
    await ingest(service, id, { message: 'first' });
    await waitUntil('the roll-up', () => isRolledUp(id));
    const { usageDay, usageRecord, logBatch } = service.app.models;
    const usage = await usageDay.collection.findOne({ scenarioId: id }, { useBigInt64: true });
    const batch = await logBatch.collection.findOne({ scenarioId: id });
    // No roll-up that is left from before merges the usage first.
    const { queue } = service.app.queues['roll-up-usage'];
    await queue.pause();
    await waitUntil('no active roll-up', async () => (await queue.getActiveCount()) === 0);
    const pending = randomUUID() as never;
    await usageRecord.collection.insertOne({ _id: pending, scenarioId: id, open: true, hours: usage?.['hours'] });
    await logBatch.collection.insertOne({ ...batch, _id: pending });
    await age(id, retentionDays + 1);
    expect(await remove()).to.equal(1);
    await queue.resume();
    await waitUntil('the roll-up', () => isRolledUp(id));
    expect(await remove()).to.equal(1);
    expect(await countOf(id)).to.deep.equal({ batches: 0, records: 0 });
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
  });

  it('removes more than one operation does', async () => {
    const { id: scenarioId } = await createRunningScenario(service);
    const { logBatch, usageRecord } = service.app.models;
    const ids = Array.from({ length: 1_200 }, () => randomUUID() as never);
    await logBatch.collection.insertMany(ids.map((_id) => ({ _id, scenarioId, receivedAt: new Date(0) })));
    await usageRecord.collection.insertMany(ids.map((_id) => ({ _id, scenarioId })));
    expect(await remove()).to.equal(1_200);
    expect(await countOf(scenarioId)).to.deep.equal({ batches: 0, records: 0 });
  });
});
