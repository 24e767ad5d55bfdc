import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type Job, Worker } from 'bullmq';
import { expect } from 'chai';
import { openRedis } from '../../../shared/connections/redis.ts';
import { hour } from '../../../shared/durations.ts';
import { AppError } from '../../../shared/errors.ts';
import { PermanentFailure } from '../../../shared/queues/job-failure.ts';
import { rollUpUsageQueue } from '../../../shared/usage/roll-up-usage.queue.ts';
import { type Attempt, defineProcessor } from '../../../workers/jobs/define-processor.ts';
import { runProcessor } from '../../../workers/jobs/run-processor.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the steps of a job', () => {
  const service = startTestService({ workers: false });

  /**
   * Adds a job and runs it by `work`. @returns the job after its end, with the lines of its log.
   */
  async function runJob(
    stepInterval: number,
    work: (attempt: Attempt, job: () => Promise<Job>) => Promise<void>,
  ): Promise<{ job: Job; logs: string[] }> {
    const { app, config } = service;
    const { queue } = app.queues['roll-up-usage'];
    const jobId = `steps-${randomUUID()}`;
    const find = async () => (await queue.getJob(jobId)) as Job;
    const processor = defineProcessor(rollUpUsageQueue, async (_payload, _deps, attempt) => {
      await work(attempt, find);
      return { counted: 0 };
    });
    const connection = await openRedis(config.redisUrl, 'worker', app.log);
    const run = runProcessor(processor, app, { stepInterval });
    const worker = new Worker(queue.name, (job) => run(job), {
      connection,
      prefix: config.redisPrefix,
    });
    try {
      const ended = Promise.race([once(worker, 'completed'), once(worker, 'failed')]);
      await app.queues['roll-up-usage'].add({ scenarioId: randomUUID(), requestId: randomUUID() }, { jobId });
      await ended;
      return { job: await find(), logs: (await queue.getJobLogs(jobId)).logs };
    } finally {
      await worker.close();
      connection.disconnect();
    }
  }

  it('steps are shown while a long job runs, and with their times after its end', async () => {
    const { job, logs } = await runJob(5, async ({ step }, findJob) => {
      const shows = (name: string) =>
        waitUntil(`the progress to show ${name}`, async () => {
          const { progress } = await findJob();
          return typeof progress === 'object' && 'step' in progress && progress.step === name ? progress : undefined;
        });
      step('read', 0);
      expect(await shows('read')).to.deep.equal({ step: 'read', progress: 0, endedStepsMs: {} });
      step('store', 60);
      expect(await shows('store')).to.deep.include({ progress: 60 });
      step('read', 80);
    });
    expect(job.progress).to.deep.include({ step: null, progress: 100 });
    expect((job.progress as { endedStepsMs: object }).endedStepsMs).to.have.all.keys('read', 'store');
    expect(logs).to.have.length(3);
    expect(logs[0]).to.match(/^attempt 1: read, after \d+ ms$/);
    expect(logs[1]).to.match(/^attempt 1: store, after \d+ ms$/);
    expect(logs[2]).to.match(
      /^attempt 1 of 10 completed after \d+ ms, request [-\da-f]+ \(read: \d+ ms, store: \d+ ms\)$/,
    );
  });

  it('the last step shows where a long job failed', async () => {
    const { job, logs } = await runJob(5, async ({ step }, findJob) => {
      step('print', 50);
      await waitUntil('the progress of the job', async () => (await findJob()).progress !== 0);
      throw new PermanentFailure(new AppError('INTERNAL_ERROR', 'No paper.'));
    });
    expect(job.progress).to.deep.include({ step: 'print', progress: 50 });
    expect(logs.at(-1)).to.match(
      / failed after \d+ ms, not retried, request [-\da-f]+: INTERNAL_ERROR: No paper\. \(print: \d+ ms\)$/,
    );
  });

  it('the steps of a job that is shorter than the interval are not written', async () => {
    const { job, logs } = await runJob(hour, async ({ step }) => {
      step('read', 0);
      step('store', 60);
    });
    expect(job.progress).to.equal(0);
    expect(logs, 'a first attempt that was completed at once').to.deep.equal([]);
  });
});
