import { expect } from 'chai';
import { openRedis } from '../../../shared/connections/redis.ts';
import { allProcessors } from '../../../workers/all-processors.ts';
import { startWorkers } from '../../../workers/jobs/start-workers.ts';
import type { WorkerDeps } from '../../../workers/worker-deps.ts';
import { startTestService } from '../../support/test-service.ts';

describe('the workers of some queues', () => {
  const service = startTestService({ workers: false });
  const startTasks = Object.values(allProcessors).map(({ startTask }) => startTask);
  after(() => {
    for (const [at, processor] of Object.values(allProcessors).entries())
      Object.assign(processor, { startTask: startTasks[at] });
  });

  it('run the background tasks of these queues only, which end with them', async () => {
    const running = new Set<string>();
    for (const [name, processor] of Object.entries(allProcessors)) {
      const startTask = () => {
        running.add(name);
        return () => running.delete(name);
      };
      Object.assign(processor, { startTask });
    }
    const { app, config } = service;
    const redis = await openRedis(config.redisUrl, 'worker', app.log);
    const workers = startWorkers(['purge', 'render-csv'], redis, app as unknown as WorkerDeps);
    expect([...running]).to.deep.equal(['purge', 'render-csv']);
    await workers.close(config.shutdownGraceMs);
    expect([...running]).to.deep.equal([]);
    redis.disconnect();
  });
});
