import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createFlushWait } from '../../../api/ingest/flush-wait.ts';
import { minute } from '../../../shared/durations.ts';
import { announceEnd } from '../../../shared/queues/job-results.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the wait of POST /flush', () => {
  const service = startTestService({ workers: false });
  const everyScenario = async (ids: string[]) => new Set(ids);

  const addJob = async (scenarioId: string = randomUUID()) => {
    const batchId = randomUUID();
    const payload = { batchId, scenarioId, requestId: randomUUID(), count: 1 };
    await service.app.queues['ingest-entries'].add(payload, { jobId: batchId });
    return batchId;
  };
  afterEach(() => service.app.queues['ingest-entries'].queue.drain());

  /** A wait that counts the listings of the queue. */
  const openWait = () => {
    const { queues, waitForJob } = service.app;
    const { queue } = queues['ingest-entries'];
    const listings = { count: 0 };
    const countedQueue = Object.create(queue, {
      getRanges: {
        value: (...states: Parameters<typeof queue.getRanges>) => {
          listings.count += 1;
          return queue.getRanges(...states);
        },
      },
    }) as typeof queue;
    const counted = { ...queues, 'ingest-entries': { ...queues['ingest-entries'], stripes: [countedQueue] } };
    return { flushWait: createFlushWait({ queues: counted, waitForJob, models: service.app.models }), listings };
  };

  it('ends for any number of requests by few listings of the queue', async () => {
    const { redis, config, queues } = service.app;
    const jobIds = [await addJob(), await addJob()];
    const { flushWait, listings } = openWait();
    const waits = Array.from({ length: 300 }, () => flushWait(everyScenario, 10 * minute));
    await waitUntil('the waits to begin', () => listings.count >= 2);
    await queues['ingest-entries'].queue.drain();
    for (const id of jobIds) announceEnd({ redis, config }, 'ingest-entries', id);
    expect(new Set(await Promise.all(waits))).to.deep.equal(new Set([0]));
    expect(listings.count).to.be.lessThan(waits.length);
  });

  it('does not end with an announcement of a job that the queue still lists', async () => {
    const { redis, config } = service.app;
    const jobId = await addJob();
    const { flushWait, listings } = openWait();
    const wait = flushWait(everyScenario, 500);
    await waitUntil('the wait to begin', () => listings.count >= 2);
    announceEnd({ redis, config }, 'ingest-entries', jobId);
    expect(await wait).to.equal(1);
  });

  it('ends without an announcement once the queue lists the job no longer', async () => {
    const jobId = await addJob();
    const { flushWait, listings } = openWait();
    const wait = flushWait(everyScenario, 10 * minute);
    await waitUntil('the wait to begin', () => listings.count >= 2);
    const job = await service.app.queues['ingest-entries'].queue.getJob(jobId);
    await job?.remove();
    expect(await wait).to.equal(0);
  });

  it('ends at its limit with the number of unfinished jobs of the chosen scenarios', async () => {
    const scenarioId = randomUUID();
    await addJob(scenarioId);
    await addJob(scenarioId);
    await addJob();
    const { flushWait } = openWait();
    expect(await flushWait(async () => new Set([scenarioId]), 0)).to.equal(2);
    expect(await flushWait(async () => new Set(), 10 * minute)).to.equal(0);
  });
});
