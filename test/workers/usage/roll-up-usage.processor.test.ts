import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createRunningScenario, getMetrics, ingest } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('a roll-up of usage', () => {
  const service = startTestService();

  it('merges the records of a lost job when the scenario ingests again', async () => {
    const { id } = await createRunningScenario(service);
    const { usageRecord, usageDay } = service.app.models;
    const merged = () =>
      waitUntil('the roll-up', async () => !(await usageRecord.exists({ scenarioId: id, open: true })));
    expect((await ingest(service, id, { message: 'first' })).status).to.equal(200);
    await merged();

    // A record without a job.
    const day = await usageDay.collection.findOne({ scenarioId: id }, { useBigInt64: true });
    const lost = { _id: randomUUID(), scenarioId: id, open: true, hours: day?.['hours'] };
    await usageRecord.collection.insertOne(lost as never);
    expect((await getMetrics(service, id)).totals.logs, 'a pending record counts').to.equal(2);
    expect((await ingest(service, id, { message: 'second' })).status).to.equal(200);
    await merged();
    expect((await getMetrics(service, id)).totals.logs).to.equal(3);
  });

  it('merges what arrives while a roll-up runs, by a job of its own', async () => {
    const { id } = await createRunningScenario(service);
    const { usageRecord } = service.app.models;
    const { queue } = service.app.queues['roll-up-usage'];
    const isRolledUp = async () =>
      (await queue.getJobs(['completed'])).filter(({ data }) => data.scenarioId === id).length > 1;
    let sent = 0;
    await waitUntil('two roll-ups', async () => {
      sent += 1;
      expect((await ingest(service, id, { message: 'one after the other' })).status).to.equal(200);
      return isRolledUp();
    });
    await waitUntil('the last roll-up', async () => !(await usageRecord.exists({ scenarioId: id, open: true })));
    expect((await getMetrics(service, id)).totals.logs).to.equal(sent);
  });
});
