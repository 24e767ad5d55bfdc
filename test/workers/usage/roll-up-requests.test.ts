import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { subscribeToChanges } from '../../../shared/scenarios/scenario-changes.ts';
import { createRollUpRequests } from '../../../workers/usage/roll-up-requests.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('what follows from new usage', () => {
  const service = startTestService({ workers: false });
  const requestedRollUp = async (scenarioId: string) => {
    const jobs = await service.app.queues['roll-up-usage'].queue.getJobs('delayed');
    return jobs.find(({ data }) => data.scenarioId === scenarioId);
  };

  it('is a roll-up at once for the first batch, and one for those that follow it', async () => {
    const rollUpRequests = createRollUpRequests(service.app);
    const [scenarioId, other] = [randomUUID(), randomUUID()];
    await rollUpRequests.report(scenarioId, randomUUID());
    const first = await requestedRollUp(scenarioId);
    expect(first?.data.scenarioId).to.equal(scenarioId);
    // As if it had ended, so that another one can be seen.
    await first?.remove();
    const requests = Array.from({ length: 20 }, () => randomUUID());
    for (const requestId of requests) await rollUpRequests.report(scenarioId, requestId);
    await rollUpRequests.report(other, randomUUID());
    expect(await requestedRollUp(other)).not.to.equal(undefined);
    const second = await waitUntil('the second roll-up', () => requestedRollUp(scenarioId));
    expect(requests).to.include(second.data.requestId);
    await rollUpRequests.close();
  });

  it('is announced at once for the first batch, and at least once for all of those that follow it', async () => {
    const { redis, config } = service.app;
    const announced: string[] = [];
    const subscription = subscribeToChanges({ redis, config }, (id) => announced.push(id));
    await subscription.ready;
    const rollUpRequests = createRollUpRequests(service.app);
    const scenarioId = randomUUID();
    const ofScenario = () => announced.filter((id) => id === scenarioId).length;
    const reports = 200;
    for (let count = 0; count < reports; count += 1) await rollUpRequests.report(scenarioId, randomUUID());
    await rollUpRequests.close();
    await waitUntil('the last announcement', () => ofScenario() >= 2);
    expect(ofScenario()).to.be.lessThan(reports / 2);
    subscription.end();
  });

  it('is not lost when the worker ends', async () => {
    const rollUpRequests = createRollUpRequests(service.app);
    const scenarioId = randomUUID();
    await rollUpRequests.report(scenarioId, randomUUID());
    await (await requestedRollUp(scenarioId))?.remove();
    const requestId = randomUUID();
    await rollUpRequests.report(scenarioId, requestId);
    await rollUpRequests.close();
    expect((await requestedRollUp(scenarioId))?.data.requestId).to.equal(requestId);
    await rollUpRequests.close();
  });
});
