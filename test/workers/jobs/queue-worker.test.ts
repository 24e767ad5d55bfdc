import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { openRedis } from '../../../shared/connections/redis.ts';
import { second } from '../../../shared/durations.ts';
import { startWorkers } from '../../../workers/jobs/start-workers.ts';
import type { WorkerDeps } from '../../../workers/worker-deps.ts';
import { captureLog } from '../../support/capture-log.ts';
import { type OwnRedis, startOwnRedis } from '../../support/own-redis.ts';
import { startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('workers whose Redis refuses writes', () => {
  let own: OwnRedis;
  const service = startTestService({
    workers: false,
    environment: async () => {
      own = await startOwnRedis();
      return { REDIS_URL: own.url };
    },
  });
  after(() => own.close());

  it('workers try again every second, log that once, and take their jobs when Redis accepts writes again', async () => {
    const { app, config } = service;
    const queue = app.queues['roll-up-usage'];
    const job = { scenarioId: randomUUID(), requestId: randomUUID() };
    const { log, lines } = captureLog();
    await queue.add(job, { jobId: 'due at once' });
    await own.admin.config('SET', 'maxmemory', '1');
    const refusals = async () => Number(/errorstat_OOM:count=(\d+)/.exec(await own.admin.info('errorstats'))?.[1] ?? 0);
    const redis = await openRedis(config.redisUrl, 'worker', log);
    const start = performance.now();
    const workers = startWorkers(['roll-up-usage'], redis, { ...app, log } as unknown as WorkerDeps);
    try {
      await waitUntil('four refusals', async () => (await refusals()) >= 4);
      expect(performance.now() - start).to.be.at.least(2 * second);
      await own.admin.config('SET', 'maxmemory', '0');
      await waitUntil('the job to be taken', async () => (await queue.queue.getWaitingCount()) === 0);
      expect(lines.filter((line) => line.includes('Redis refuses commands'))).to.have.length(1);
      expect(lines.filter((line) => line.includes('worker error'))).to.deep.equal([]);
    } finally {
      await workers.close(config.shutdownGraceMs);
      redis.disconnect();
    }
  });
});
