import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createRollUpRequests } from '../../../workers/usage/roll-up-requests.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('what follows from new usage', () => {
  const service = startTestService({ workers: false });
  const requestedRollUp = async (scenarioId: string) => {
    const jobs = await service.app.queues['roll-up-usage'].queue.getJobs('delayed');
    return jobs.find(({ data }) => data.scenarioId === scenarioId);
  };

  it('is one roll-up for all batches that are stored together', async () => {
    const rollUpRequests = createRollUpRequests(service.app);
    const [scenarioId, other] = [randomUUID(), randomUUID()];
    const requests = Array.from({ length: 20 }, () => randomUUID());
    for (const requestId of requests) rollUpRequests.report(scenarioId, requestId);
    rollUpRequests.report(other, randomUUID());
    await waitUntil('the roll-up of the other', () => requestedRollUp(other));
    expect((await requestedRollUp(scenarioId))?.data.requestId).to.equal(requests.at(-1));
    await rollUpRequests.close();
  });

  it('is not lost when the worker ends', async () => {
    const rollUpRequests = createRollUpRequests(service.app);
    const [scenarioId, requestId] = [randomUUID(), randomUUID()];
    rollUpRequests.report(scenarioId, requestId);
    await rollUpRequests.close();
    expect((await requestedRollUp(scenarioId))?.data.requestId).to.equal(requestId);
  });
});
