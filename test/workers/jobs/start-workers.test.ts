import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { QueueName } from '../../../shared/all-queues.ts';
import { openRedis } from '../../../shared/connections/redis.ts';
import { second } from '../../../shared/durations.ts';
import { startWorkers } from '../../../workers/jobs/start-workers.ts';
import type { WorkerDeps } from '../../../workers/worker-deps.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the background task of a processor', () => {
  const service = startTestService({ workers: false });
  let probes = 0;

  /** Runs workers that count the probes of the notebook backend while `work` runs. */
  async function withWorkers(names: QueueName[], work: () => Promise<unknown>): Promise<void> {
    const { app, config } = service;
    const redis = await openRedis(config.redisUrl, 'worker', app.log);
    const ping = async () => {
      probes += 1;
    };
    const notebookBreaker = { ...app.notebookBreaker, claimProbe: async () => true };
    const deps = { ...app, notebookBreaker, notebookBackend: { ping } };
    const workers = startWorkers(names, redis, deps as unknown as WorkerDeps);
    try {
      await work();
    } finally {
      await workers.close(config.shutdownGraceMs);
      redis.disconnect();
    }
  }

  it('starts and ends with the worker of its queue', async () => {
    await withWorkers(['notebook-calls'], () => waitUntil('a probe', () => probes > 0));
    const afterClose = probes;
    await delay(1.5 * second);
    expect(probes).to.equal(afterClose);
  });

  it('does not start with the workers of other queues', async () => {
    const before = probes;
    await withWorkers(['delete-scenario', 'roll-up-usage'], () => delay(1.5 * second));
    expect(probes).to.equal(before);
  });
});
