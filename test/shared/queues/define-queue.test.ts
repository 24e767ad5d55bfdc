import { randomUUID } from 'node:crypto';
import { Worker } from 'bullmq';
import { expect } from 'chai';
import { openRedis } from '../../../shared/connections/redis.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('a queue', () => {
  const service = startTestService({ workers: false });

  it("passes the attempts and the retention of its definition to BullMQ, in BullMQ's units", async () => {
    const { queues } = service.app;
    const [scenarioId, requestId] = [randomUUID(), randomUUID()];
    await queues['ingest-entries'].add({ batchId: randomUUID(), scenarioId, requestId, count: 1 }, { jobId: 'kept' });
    const job = await queues['ingest-entries'].queue.getJob('kept');
    expect(job?.opts).to.deep.include({
      attempts: 5760,
      removeOnComplete: { age: 900, count: 1000 },
      removeOnFail: { age: 604_800 },
    });
  });

  it('keeps a few stack traces of a job that fails repeatedly', async () => {
    const { queues, config, log } = service.app;
    const [scenarioId, requestId] = [randomUUID(), randomUUID()];
    await queues['delete-scenario'].add({ scenarioId, requestId }, { jobId: 'fails' });
    const redis = await openRedis(config.redisUrl, 'worker', log);
    const fail = async () => {
      throw new Error('the database is unreachable');
    };
    const worker = new Worker('delete-scenario', fail, {
      connection: redis,
      prefix: config.redisPrefix,
      settings: { backoffStrategy: () => 1 },
    });
    try {
      const job = await waitUntil('ten attempts', async () => {
        const found = await queues['delete-scenario'].queue.getJob('fails');
        return found !== undefined && found.attemptsMade >= 10 ? found : undefined;
      });
      expect(job.stacktrace?.length).to.be.within(1, 5);
    } finally {
      await worker.close();
      redis.disconnect();
    }
  });
});
