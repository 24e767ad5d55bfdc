import { expect } from 'chai';
import { openRedis } from '../../shared/connections/redis.ts';
import { createThreadPool } from '../../shared/process/thread-pool.ts';
import { createScenarioAssumptions } from '../../workers/ingest/scenario-assumptions.ts';
import { startWorkers } from '../../workers/jobs/start-workers.ts';
import type { WorkerDeps } from '../../workers/worker-deps.ts';
import { makeHostileBatch, tokenShapes } from '../support/hostile-texts.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('a batch whose thread ends', () => {
  const service = startTestService({ workers: false, environment: { INGEST_WAIT_MS: '0' } });

  it('a batch whose thread ends is retried, and counted once', async () => {
    const { id } = await createRunningScenario(service);
    const [shape] = tokenShapes;
    if (!shape) throw new Error('there are no shapes');
    const accepted = await ingest(service, id, makeHostileBatch(shape));
    expect(accepted.status, accepted.text).to.equal(202);
    const { app, config } = service;

    // A thread that ends with every batch.
    const file = new URL('../shared/process/task-thread.ts', import.meta.url);
    const batchThreads = createThreadPool({ file, data: {}, size: 1, maxHeapMb: 64 });
    const redis = await openRedis(config.redisUrl, 'worker', app.log);
    const scenarioAssumptions = createScenarioAssumptions(app.models);
    const deps = { ...app, batchThreads, scenarioAssumptions } as unknown as WorkerDeps;
    const workers = startWorkers(['ingest-entries'], redis, deps);
    const findJob = () => app.queues['ingest-entries'].queue.getJob(accepted.body.job_id);
    await waitUntil('a failed attempt', async () => ((await findJob())?.attemptsMade ?? 0) > 0);
    await workers.close(config.shutdownGraceMs);
    await batchThreads.close();
    redis.disconnect();
    expect(await (await findJob())?.getState()).to.be.oneOf(['delayed', 'waiting']);
    expect((await getMetrics(service, id)).totals.logs).to.equal(0);

    await service.startWorkers();
    await waitUntil('the batch', async () => (await getMetrics(service, id)).totals.logs > 0);
    // 256 KiB of one letter are 1,024 runs of 256, and each run is 32 tokens; the multiplier of the
    // model is 1.18.
    const { totals } = await getMetrics(service, id);
    expect(totals).to.include({ logs: 19, input_tokens: 19 * Math.ceil(1024 * 32 * 1.18) });
  });
});
