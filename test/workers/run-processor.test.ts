import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('jobs', () => {
  const service = startTestService();

  it('are rejected when they are added with a malformed payload', async () => {
    const { queues } = service.app;
    const payloads = [{}, { scenarioId: 'x', requestId: randomUUID() }, { scenarioId: 7 }, null, 'text'];
    for (const payload of payloads) {
      let rejection: unknown;
      await queues['roll-up-usage'].add(payload as never).catch((error: unknown) => {
        rejection = error;
      });
      expect(rejection).to.be.instanceOf(TypeError);
    }
    const extra = { scenarioId: randomUUID(), requestId: randomUUID(), message: 'text' };
    let rejection: unknown;
    await queues['roll-up-usage'].add(extra as never).catch((error: unknown) => {
      rejection = error;
    });
    expect((rejection as Error).message).to.contain('message');
  });

  it('fail permanently if another program added them with a malformed payload', async () => {
    const { queue } = service.app.queues['delete-scenario'];
    const job = await queue.add('delete-scenario', { scenarioId: { $gt: '' } }, { attempts: 5 });
    const failed = await waitUntil('the job to fail', async () => {
      const now = await queue.getJob(job.id ?? '');
      return now?.failedReason ? now : undefined;
    });
    expect(failed.failedReason).to.equal('INTERNAL_ERROR: The job has a malformed payload.');
    expect(failed.attemptsMade).to.equal(1);
  });
});
