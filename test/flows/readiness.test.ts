import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { allQueues, type QueueName } from '../../shared/all-queues.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { type QueueReport, startHeartbeat } from '../../shared/process/heartbeat.ts';
import { startServiceWithNotebooks } from '../support/notebook-backends.ts';
import { type RunningProxy, startMongoProxy } from '../support/proxy.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('readiness', () => {
  const service = startServiceWithNotebooks();
  let mongoProxy: RunningProxy;
  let mongo: Connection;
  let stopHeartbeat = async () => {};

  before(async () => {
    mongoProxy = await startMongoProxy(service.environment['MONGODB_URL'] ?? '');
    mongo = await openMongo(mongoProxy.url, { timeoutMs: 5_000, role: 'worker' });
  });
  afterEach(async () => {
    await stopHeartbeat();
    await mongoProxy.start();
  });
  after(async () => {
    await mongo.close();
    await mongoProxy.stop();
  });

  const readiness = (purpose = 'all') => service.request('GET', `/health/ready?for=${purpose}`);
  const bareReadiness = () => service.request('GET', '/health/ready');
  const beat = async (id: string, queues: QueueReport[] = []) => {
    const { app, config } = service;
    stopHeartbeat = await startHeartbeat({
      id,
      redis: app.redis,
      prefix: config.redisPrefix,
      mongo,
      reportQueues: async () => queues,
      log: app.log,
    });
  };

  it('shows the queues that a worker serves, and when each last made progress', async () => {
    const { id } = await createRunningScenario(service);
    const before = new Date().toISOString();
    await ingest(service, id, { message: 'one' });
    const progress = await waitUntil('a heartbeat after the job', async () => {
      const { body } = await readiness();
      const { mongodb, queues } = body.workers[0] ?? {};
      if (mongodb !== 'up') return undefined;
      expect(body.workers).to.have.length(1);
      expect(queues.map(({ name }: { name: string }) => name)).to.have.members(service.config.workerQueues);
      const queue = queues.find(({ name }: { name: string }) => name === 'ingest-entries');
      return queue.last_progress === null ? undefined : queue;
    });
    expect(progress.last_progress >= before).to.equal(true);
    expect(progress.stalled_ms).to.be.lessThan(60_000);
  });

  describe('of other workers', () => {
    before(async () => {
      // Jobs without a worker would be problems of their own.
      const { queues } = service.app;
      const countJobs = async (name: QueueName) =>
        queues[name].queue.getJobCountByTypes('wait', 'prioritized', 'active', 'delayed');
      await waitUntil('the end of all jobs', async () => {
        const counts = await Promise.all(Object.keys(allQueues).map((name) => countJobs(name as QueueName)));
        const { batches } = await service.app.backlog.read();
        return batches === 0 && counts.every((count) => count === 0);
      });
      await waitUntil('the first probe', async () => (await service.app.notebookBreaker.problem()) === '');
      await service.stopWorkers();
    });

    it('fails without a worker only for a purpose that needs one', async () => {
      for (const purpose of ['notebooks', 'all']) {
        expectError(await readiness(purpose), 503, 'SERVICE_UNAVAILABLE', ['worker']);
      }
      for (const response of [await readiness('ingest'), await bareReadiness()]) {
        expect(response.status).to.equal(200);
        expect(response.body.checks).to.include({ mongodb: 'up', backlog: 'up', redis: 'up', worker: 'down' });
      }
    });

    it('names a worker that does not reach MongoDB, although web does', async () => {
      const id = randomUUID();
      await beat(id);
      await waitUntil('the worker to be up', async () => (await readiness()).status === 200);
      await mongoProxy.stop();
      const response = await waitUntil('the worker to be down', async () => {
        const response = await readiness();
        return response.body.checks.worker === 'down' && response.body.checks.mongodb === 'up' ? response : undefined;
      });
      expectError(response, 503, 'SERVICE_UNAVAILABLE', ['worker', `worker.${id}`]);
      expect(response.body.workers).to.deep.equal([{ id, state: 'up', mongodb: 'down', queues: [] }]);
      expect(response.body.error.message).to.contain(id);
      await mongoProxy.start();
      await waitUntil('the worker to be up', async () => (await readiness()).status === 200);
    });

    const report = (name: QueueName, stalledMs: number, stuckMs = 0): QueueReport => ({
      name,
      lastProgress: null,
      stalledMs,
      stuckMs,
    });

    it('names a queue without progress for 50 seconds, and fails only for a purpose that needs the queue', async () => {
      await beat(randomUUID(), [report('render-report', 50_000)]);
      expectError(await readiness(), 503, 'SERVICE_UNAVAILABLE', ['queues', 'queues.render-report']);
      for (const response of [await readiness('ingest'), await readiness('notebooks'), await bareReadiness()]) {
        expect(response.status).to.equal(200);
        expect(response.body.checks).to.include({ worker: 'up', queues: 'down' });
      }
      await stopHeartbeat();
      await beat(randomUUID(), [report('render-report', 49_999)]);
      expect((await readiness()).status).to.equal(200);
    });

    it('names a worker whose jobs make no progress, also while other workers make some', async () => {
      const [stuck, healthy] = [randomUUID(), randomUUID()];
      await beat(stuck, [report('ingest-entries', 50_000, 50_000)]);
      const alone = await readiness();
      expectError(alone, 503, 'SERVICE_UNAVAILABLE', ['queues', `worker.${stuck}`, 'queues.ingest-entries']);
      const stopStuck = stopHeartbeat;
      await beat(healthy, [report('ingest-entries', 49_999, 49_999)]);
      const together = await readiness();
      expect(together.status).to.equal(200);
      const states = together.body.workers.map(({ id, state }: { id: string; state: string }) => [id, state]);
      expect(states).to.have.deep.members([
        [stuck, 'stuck'],
        [healthy, 'up'],
      ]);
      await stopStuck();
    });

    it('names a worker that is frozen or was killed, and forgets one that was shut down', async () => {
      const { redis, config } = { ...service.app, ...service };
      const id = randomUUID();
      await beat(id);
      await stopHeartbeat();
      expect((await readiness()).body.workers).to.deep.equal([]);
      await beat(id);
      const key = `${config.redisPrefix}:worker-heartbeat:${id}`;
      const heartbeat = (await redis.get(key)) ?? '';
      await stopHeartbeat();
      // As it is 11 seconds after the last heartbeat.
      await redis.set(key, heartbeat, 'PX', 589_000);
      const response = await readiness();
      expectError(response, 503, 'SERVICE_UNAVAILABLE', ['worker', `worker.${id}`]);
      expect(response.body.workers[0]).to.include({ id, state: 'silent' });
    });

    it('names a queue with jobs that no worker serves', async () => {
      const { queues } = service.app;
      await beat(randomUUID(), []);
      expect((await readiness()).status).to.equal(200);
      await queues['roll-up-usage'].add({ scenarioId: randomUUID(), requestId: randomUUID() });
      expectError(await readiness(), 503, 'SERVICE_UNAVAILABLE', ['queues', 'queues.roll-up-usage']);
    });
  });
});
