import { expect } from 'chai';
import { createRunningScenario, getMetrics, ingest } from '../../support/requests.ts';
import { isRolledUp, storeBatches } from '../../support/stored-batches.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('a roll-up of usage', () => {
  const service = startTestService();

  it('counts the batches of a lost job when the scenario ingests again', async () => {
    const { id } = await createRunningScenario(service);
    const { models } = service.app;
    const counted = () => waitUntil('the roll-up', () => isRolledUp(models, id));
    expect((await ingest(service, id, { message: 'first' })).status).to.equal(200);
    await counted();

    // A batch without a job.
    const hour = new Date('2026-03-05T10:00:00Z');
    await storeBatches(models, id, [{ hour, logs: 1, sizeBytes: 1, queues: {}, functions: {}, inference: {} }]);
    expect((await getMetrics(service, id)).totals.logs, 'a stored batch counts').to.equal(2);
    expect((await ingest(service, id, { message: 'second' })).status).to.equal(200);
    await counted();
    expect((await getMetrics(service, id)).totals.logs).to.equal(3);
  });

  it('counts what arrives while a roll-up runs, by a job of its own', async () => {
    const { id } = await createRunningScenario(service);
    const { queue } = service.app.queues['roll-up-usage'];
    const areRolledUp = async () =>
      (await queue.getJobs(['completed'])).filter(({ data }) => data.scenarioId === id).length > 1;
    let sent = 0;
    await waitUntil('two roll-ups', async () => {
      sent += 1;
      expect((await ingest(service, id, { message: 'one after the other' })).status).to.equal(200);
      return areRolledUp();
    });
    await waitUntil('the last roll-up', () => isRolledUp(service.app.models, id));
    expect((await getMetrics(service, id)).totals.logs).to.equal(sent);
  });
});
