import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { testService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('jobs', () => {
  const service = testService();

  it('are refused when they are added with a malformed payload', async () => {
    const { queues } = service.app;
    const payloads = [{}, { scenarioId: 'x', requestId: randomUUID() }, { scenarioId: 7 }, null, 'text'];
    for (const payload of payloads) {
      let refused: unknown;
      await queues['roll-up-usage'].add(payload as never).catch((error: unknown) => {
        refused = error;
      });
      expect(refused).to.be.instanceOf(TypeError);
    }
    const extra = { scenarioId: randomUUID(), requestId: randomUUID(), message: 'text' };
    let refused: unknown;
    await queues['roll-up-usage'].add(extra as never).catch((error: unknown) => {
      refused = error;
    });
    expect((refused as Error).message).to.contain('message');
  });

  it('fail at once when they were added by somebody else with a malformed payload', async () => {
    const { queue } = service.app.queues['delete-scenario'];
    const job = await queue.add('delete-scenario', { scenarioId: { $gt: '' } }, { attempts: 5 });
    const failed = await waitUntil('the job to fail', async () => {
      const now = await queue.getJob(job.id ?? '');
      return now?.failedReason ? now : undefined;
    });
    expect(failed.failedReason).to.equal('INTERNAL_ERROR: The job carries a malformed payload.');
    expect(failed.attemptsMade).to.equal(1);
  });
});
