import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startTestService } from '../../support/test-service.ts';

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
});
