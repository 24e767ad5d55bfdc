import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createWaitForJob } from '../../../api/jobs/wait-for-job.ts';
import { closeRedis, openRedis } from '../../../shared/connections/redis.ts';
import { day } from '../../../shared/durations.ts';
import { announceEnd, announceResult } from '../../../shared/queues/job-results.ts';
import { startTestService } from '../../support/test-service.ts';

describe('waiting for a job', () => {
  const service = startTestService();
  /** The job of a batch whose scenario does not exist, which fails. */
  async function failingJob() {
    const job = { batchId: randomUUID(), scenarioId: randomUUID(), requestId: randomUUID(), count: 1 };
    const { batchId: _id, ...fields } = job;
    const row = { _id, ...fields, caller: 'a caller', state: 'queued', counted: false, bytes: 4096 };
    await service.app.models.logBatch.collection.insertOne({ ...row, receivedAt: new Date() } as never);
    return job;
  }

  it('returns the typed error of a permanently failed job', async () => {
    const { waitForJob, queues } = service.app;
    const job = await failingJob();
    const outcome = await waitForJob('ingest-entries', job.batchId, 30_000, () =>
      queues['ingest-entries'].add(job, { jobId: job.batchId }),
    );
    if (outcome.state !== 'failed') throw new Error(`the job is ${outcome.state}`);
    expect(outcome.error.code).to.equal('NOT_FOUND');
    expect(outcome.error.message).to.contain(job.scenarioId);
  });

  it('reads the stored outcome if no announcement arrives, at its limit and long before it', async () => {
    const { waitForJob, queues } = service.app;
    const job = await failingJob();
    const add = () => queues['ingest-entries'].add(job, { jobId: job.batchId });
    await waitForJob('ingest-entries', job.batchId, 30_000, add);
    // The job is already finished, so adding it again causes no announcement.
    for (const limit of [20, 1 * day]) {
      const outcome = await waitForJob('ingest-entries', job.batchId, limit, add);
      expect(outcome.state).to.equal('failed');
    }
  });

  it('returns the result of a job that was completed after a failed attempt, read when the announcement was lost', async () => {
    const { queues, waitForJob, redis, config } = service.app;
    const job = await failingJob();
    const add = () => queues['ingest-entries'].add(job, { jobId: job.batchId });
    await waitForJob('ingest-entries', job.batchId, 30_000, add);
    // As BullMQ leaves it: the reason of the failed attempt stays.
    const key = `${config.redisPrefix}:ingest-entries:${job.batchId}`;
    expect(await redis.hget(key, 'failedReason')).to.match(/^NOT_FOUND/);
    await redis.hset(key, 'returnvalue', JSON.stringify({ accepted: 1 }));
    const outcome = await waitForJob('ingest-entries', job.batchId, 20, add);
    expect(outcome).to.deep.equal({ state: 'completed', result: { accepted: 1 } });
  });

  it('does not end with an announced end of a job that has not ended', async () => {
    const { waitForJob, redis, config } = service.app;
    const jobId = randomUUID();
    const outcome = await waitForJob('ingest-entries', jobId, 200, async () =>
      announceEnd({ redis, config }, 'ingest-entries', jobId),
    );
    expect(outcome).to.deep.equal({ state: 'pending' });
  });

  it('ends with an announced result before the job ends, unless the announcement is not authentic', async () => {
    const { waitForJob, redis, config } = service.app;
    const announced = (sender: Parameters<typeof announceResult>[0]) => {
      const jobId = randomUUID();
      return waitForJob('ingest-entries', jobId, 1000, async () => {
        announceResult(sender, 'ingest-entries', jobId, { accepted: 3 });
      });
    };
    expect(await announced({ redis, config })).to.deep.equal({ state: 'completed', result: { accepted: 3 } });
    const forged = await announced({ redis, config: { ...config, keys: { results: Buffer.alloc(32) } } });
    expect(forged).to.deep.equal({ state: 'pending' });
  });

  it('ends with one announcement for all requests that wait for the job, whether others have ended or not', async () => {
    const { waitForJob, redis, config } = service.app;
    const jobId = randomUUID();
    const wait = (limitMs: number) => waitForJob('ingest-entries', jobId, limitMs, async () => {});
    const [first, second] = [wait(20_000), wait(20_000)];
    expect(await wait(20)).to.deep.equal({ state: 'pending' });
    announceResult({ redis, config }, 'ingest-entries', jobId, { accepted: 3 });
    const completed = { state: 'completed', result: { accepted: 3 } };
    expect(await Promise.all([first, second])).to.deep.equal([completed, completed]);
  });

  it('ends at its limit, and rethrows the errors of adding the job', async () => {
    const { waitForJob } = service.app;
    const outcome = await waitForJob('ingest-entries', randomUUID(), 20, async () => {});
    expect(outcome).to.deep.equal({ state: 'pending' });
    const refused = waitForJob('ingest-entries', randomUUID(), 20, () => Promise.reject(new Error('refused')));
    expect(await refused.catch((error: Error) => error.message)).to.equal('refused');
  });

  it('ends when the process stops, even long before its limit', async () => {
    const { config, log, queues } = service.app;
    const redis = await openRedis(config.redisUrl, 'worker', log);
    const waitForJob = await createWaitForJob({ redis, queues, config });
    const outcome = waitForJob('ingest-entries', randomUUID(), 1 * day, async () => {});
    waitForJob.close();
    expect(await outcome).to.deep.equal({ state: 'pending' });
    await closeRedis(redis);
  });
});
