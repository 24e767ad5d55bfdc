import { expect } from 'chai';
import { sweepDeletedScenarios } from '../../../workers/scenarios/delete-scenario.processor.ts';
import { createScenario } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the sweep', () => {
  const service = startTestService();

  it('adds the missing job of a deleted scenario, and changes no other scenario', async () => {
    const lost = await createScenario(service);
    const kept = await createScenario(service);
    const { models } = service.app;
    await models.scenario.updateOne({ _id: lost.id }, { $set: { deletedAt: new Date() }, $unset: { nameKey: 1 } });
    await Promise.all([sweepDeletedScenarios(service.app), sweepDeletedScenarios(service.app)]);
    await waitUntil('the row to be removed', async () => !(await models.scenario.exists({ _id: lost.id })));
    expect(await models.scenario.exists({ _id: kept.id })).not.to.equal(null);
  });

  it('removes no data of a scenario that is not marked as deleted', async () => {
    const { id } = await createScenario(service);
    const { queues, models } = service.app;
    await queues['delete-scenario'].add({ scenarioId: id, requestId: id }, { jobId: 'by-mistake' });
    const done = async () => (await queues['delete-scenario'].queue.getJob('by-mistake'))?.returnvalue;
    const result = await waitUntil('the job to be done', async () => (await done()) ?? undefined);
    expect(result).to.deep.equal({ removed: 0 });
    expect(await models.scenario.exists({ _id: id })).not.to.equal(null);
  });
});
