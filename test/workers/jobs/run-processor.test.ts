import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('jobs', () => {
  const service = startTestService();

  it('jobs with a malformed payload are rejected when they are added', async () => {
    const queue = service.app.queues['roll-up-usage'];
    const rejectionOf = (payload: unknown) => queue.add(payload as never).catch((error: unknown) => error);
    for (const payload of [{}, { scenarioId: 'x', requestId: randomUUID() }, { scenarioId: 7 }, null, 'text'])
      expect(await rejectionOf(payload)).to.be.instanceOf(TypeError);
    const extra = { scenarioId: randomUUID(), requestId: randomUUID(), message: 'text' };
    expect(await rejectionOf(extra))
      .to.have.property('message')
      .that.contains('message');
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
    expect(logs.join()).to.match(/^attempt 1 of 5 failed after \d+ ms, not retried, request unknown: INTERNAL_ERROR: /);
  });

  it('the log of a job that is retried has the number of its attempts and the pause before the next', async () => {
    const { queue } = service.app.queues['notebook-calls'];
    const requestId = randomUUID();
    const payload = { operation: 'discard', notebookId: randomUUID(), deadlineAt: Date.now() + 60_000, requestId };
    const { id = '' } = await queue.add('discard notebook', payload, { attempts: 8 });
    await waitUntil('the job to wait for its next attempt', async () => (await queue.getJob(id))?.isDelayed());
    const { logs } = await queue.getJobLogs(id);
    expect(logs.join()).to.match(
      new RegExp(`^attempt 1 of 8 failed after \\d+ ms, next in 60 s, request ${requestId}: UPSTREAM_ERROR: `),
    );
  });

  it('jobs are named by what they do, and log a line per attempt with the id of the request', async () => {
    const { queues } = service.app;
    const requestId = randomUUID();
    const deadlineAt = Date.now() - 1;
    const payload = { operation: 'read', notebookId: randomUUID(), requestId, deadlineAt } as const;
    await queues['notebook-calls'].add(payload, { jobId: 'read-late' });
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
    for (const number of [1, 2]) {
      expect(lines[number - 1]).to.match(
        new RegExp(`^attempt ${number} failed after \\d+ ms, not retried, request ${requestId}: SERVICE_UNAVAILABLE: `),
      );
    }
    const deadline = new Date(deadlineAt).toISOString();
    expect(lines[1]).to.contain(
      `The deadline of the call (${deadline}) had passed, so the backend was not called again.`,
    );
  });
});
