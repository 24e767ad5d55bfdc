import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('jobs', () => {
  const service = startTestService();

  it('jobs with a malformed payload are rejected when they are added', async () => {
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

  it('jobs that another program added with a malformed payload fail permanently', async () => {
    const { queue } = service.app.queues['delete-scenario'];
    const job = await queue.add('delete-scenario', { scenarioId: { $gt: '' } }, { attempts: 5 });
    const failed = await waitUntil('the job to fail', async () => {
      const now = await queue.getJob(job.id ?? '');
      return now?.failedReason ? now : undefined;
    });
    expect(failed.failedReason).to.equal('INTERNAL_ERROR: The job has a malformed payload.');
    expect(failed.attemptsMade).to.equal(1);
    const { logs } = await queue.getJobLogs(failed.id ?? '');
    expect(logs.join()).to.match(/^attempt 1, request unknown: failed after \d+ ms: INTERNAL_ERROR: /);
  });

  it('jobs are named by what they do, and log a line per attempt with the id of the request', async () => {
    const { queues } = service.app;
    const requestId = randomUUID();
    const deadlineAt = Date.now() - 1;
    await queues['notebook-calls'].add(
      { operation: 'read', notebookId: randomUUID(), requestId, deadlineAt },
      { jobId: 'read-late' },
    );
    const { queue } = queues['notebook-calls'];
    const failed = await waitUntil('the job to fail', async () => {
      const job = await queue.getJob('read-late');
      return job?.finishedOn ? job : undefined;
    });
    expect(failed.name).to.equal('read notebook');
    expect(failed.failedReason).to.contain('No worker was free');
    await failed.retry('failed');
    const lines = await waitUntil('the second attempt', async () => {
      const { logs } = await queue.getJobLogs('read-late');
      return logs.length === 2 ? logs : undefined;
    });
    expect(lines[0]).to.match(
      new RegExp(`^attempt 1, request ${requestId}: failed after \\d+ ms: SERVICE_UNAVAILABLE: `),
    );
    expect(lines[1]).to.match(
      new RegExp(`^attempt 2, request ${requestId}: failed after \\d+ ms: SERVICE_UNAVAILABLE: `),
    );
    const deadline = new Date(deadlineAt).toISOString();
    expect(lines[1]).to.contain(
      `The deadline of the call (${deadline}) had passed, so the backend was not called again.`,
    );
  });
});
