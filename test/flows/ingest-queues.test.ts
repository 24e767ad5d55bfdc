import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import type { QueueName } from '../../shared/all-queues.ts';
import { openRedis } from '../../shared/connections/redis.ts';
import { stripeName, stripeOf } from '../../shared/queues/stripes.ts';
import { createScenarioAssumptions } from '../../workers/ingest/scenario-assumptions.ts';
import { startWorkers } from '../../workers/jobs/start-workers.ts';
import type { WorkerDeps } from '../../workers/worker-deps.ts';
import { createAccount } from '../support/accounts.ts';
import { findKeys } from '../support/redis-keys.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { dashboardPassword, startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const later = { headers: { Prefer: 'respond-async' } };
const queue: QueueName = 'ingest-entries';
const jobsByStripe = (service: TestService) =>
  Promise.all(service.app.queues[queue].stripes.map((stripe) => stripe.getJobCountByTypes('wait', 'prioritized')));

/** Sends entries until each queue has a job. @returns the ids of the jobs. */
async function fillQueues(service: TestService, scenarioId: string): Promise<string[]> {
  const jobs: string[] = [];
  const send = async () => {
    const response = await ingest(service, scenarioId, { message: randomUUID() }, later);
    expect(response.status, response.text).to.equal(202);
    jobs.push(response.body.job_id);
  };
  while (!(await jobsByStripe(service)).every((count) => count > 0)) await Promise.all(Array.from({ length: 8 }, send));
  return jobs;
}

const flush = (service: TestService) =>
  waitUntil('all jobs to end', async () => (await service.request('POST', '/flush')).status === 200);

describe('with six ingest queues', () => {
  const service = startTestService({ environment: { INGEST_QUEUES: '6' }, workers: false });
  let headers: Record<string, string>;
  before(async () => {
    // The first account is an admin.
    ({ headers } = await createAccount(service));
  });
  afterEach(() => service.stopWorkers());

  it('spreads entries over the queues, and flush, jobs, metrics, health and dashboard cover all', async () => {
    const { id } = await createRunningScenario(service);
    const jobs = await fillQueues(service, id);
    const { queues, redis } = service.app;
    for (const jobId of jobs) {
      const stripe = stripeName(queue, stripeOf(jobId, { used: 6, known: 6 }));
      const spooled = `${service.config.redisPrefix}:{${stripe}}:spool:${jobId}`;
      expect(await redis.exists(spooled)).to.equal(1);
      expect((await queues[queue].findJob(jobId))?.queueName).to.equal(stripe);
      expect((await service.request('GET', `/api/v1/ingest-jobs/${jobId}`)).body.status).to.equal('queued');
    }
    const metrics = await service.request('GET', '/metrics');
    // Beyond some jobs of a caller in one queue, the others are in the state `prioritized`.
    const counted = ['wait', 'prioritized'].map((state) =>
      Number(new RegExp(`queue_jobs\\{queue="${queue}",state="${state}"\\} (\\d+)`).exec(metrics.text)?.[1]),
    );
    expect((counted[0] ?? 0) + (counted[1] ?? 0)).to.equal(jobs.length);
    expectError(await service.request('GET', '/health/ready?for=ingest'), 503, 'SERVICE_UNAVAILABLE');
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const path = `/api/v1/jobs?queue=${queue}&limit=5${cursor && `&cursor=${cursor}`}`;
      const { body } = await service.request('GET', path, { headers });
      for (const { id: jobId, dashboard_queue: name } of body.items as { id: string; dashboard_queue: string }[]) {
        expect(name).to.equal(stripeName(queue, stripeOf(jobId, { used: 6, known: 6 })));
        found.push(jobId);
      }
      if (body.next === null) break;
      cursor = body.next;
    }
    expect(found).to.have.members(jobs);
    const authorization = `Basic ${Buffer.from(`admin:${dashboardPassword}`).toString('base64')}`;
    const board = await service.request('GET', '/admin/queues/api/queues', {
      headers: { Authorization: authorization },
    });
    const names = board.body.queues.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name.startsWith(queue))).to.have.length(6);

    await service.startWorkers();
    await flush(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(jobs.length);
    expect((await service.request('GET', '/health/ready?for=ingest')).status).to.equal(200);
    expect(await findKeys(redis, `${service.config.redisPrefix}:*:spool:*`)).to.deep.equal([]);
  });

  it('adds the jobs of a request to one queue, and repeats what Redis has lost there', async () => {
    const { id } = await createRunningScenario(service);
    const request = {
      headers: { 'Idempotency-Key': randomUUID() },
      body: Array.from({ length: 2_500 }, () => ({ message: 'line' })),
    };
    const send = () => service.request('POST', `/ingest/${id}?answer=summary`, request);
    expect((await send()).status).to.equal(200);
    expect((await jobsByStripe(service)).filter((count) => count > 0)).to.deep.equal([3]);
    for (const stripe of service.app.queues[queue].stripes) await stripe.drain();
    expect((await send()).status).to.equal(200);
    expect((await jobsByStripe(service)).filter((count) => count > 0)).to.deep.equal([3]);
    await service.startWorkers();
    await flush(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(2_500);
  });

  it('runs as many jobs at a time as one queue', async () => {
    const { app, config } = service;
    const { id } = await createRunningScenario(service);
    await fillQueues(service, id);
    let running = 0;
    let most = 0;
    const end = new AbortController();
    const run = async () => {
      running += 1;
      most = Math.max(most, running);
      if (!end.signal.aborted) await once(end.signal, 'abort');
      running -= 1;
      throw new Error('This worker processes nothing.');
    };
    const scenarioAssumptions = createScenarioAssumptions(app.models);
    const redis = await openRedis(config.redisUrl, 'worker', app.log);
    const deps = { ...app, scenarioAssumptions, batchThreads: { run } } as unknown as WorkerDeps;
    const workers = startWorkers([queue], redis, deps);
    const active = async () =>
      (await Promise.all(app.queues[queue].stripes.map((stripe) => stripe.getActiveCount()))).filter(Boolean).length;
    await waitUntil('each queue to have an active job', async () => (await active()) === 6);
    await waitUntil('the jobs to run', () => running === config.concurrency[queue]);
    const closed = workers.close(config.shutdownGraceMs);
    end.abort();
    await closed;
    redis.disconnect();
    expect(most).to.equal(config.concurrency[queue]);
    await service.startWorkers();
    await flush(service);
  });

  it('retries the failed jobs of all queues', async () => {
    const { id } = await createRunningScenario(service);
    const { stripes } = service.app.queues[queue];
    const sent = await fillQueues(service, id);
    // A job whose batch is lost fails permanently.
    for (const jobId of sent) await service.app.spool.clear(jobId);
    await service.startWorkers();
    await flush(service);
    await service.stopWorkers();
    const failed = async () =>
      (await Promise.all(stripes.map((stripe) => stripe.getFailedCount()))).reduce((a, b) => a + b);
    expect(await failed()).to.equal(sent.length);
    const retried = await service.request('POST', `/api/v1/jobs/${queue}/retry`, { headers });
    expect(retried.body).to.deep.equal({ retried: sent.length, scanned: sent.length, next: null });
    expect(await failed()).to.equal(0);
    for (const stripe of stripes) await stripe.drain();
  });
});

describe('with fewer ingest queues than before', () => {
  const environment: Record<string, string> = { REDIS_PREFIX: `queues-${randomUUID()}` };
  const many = startTestService({
    environment: async () => ({ ...environment, INGEST_QUEUES: '4' }),
    workers: false,
  });
  const one = startTestService({
    environment: async () => ({ ...environment, MONGODB_URL: many.environment['MONGODB_URL'] ?? '' }),
    workers: false,
  });

  it('processes what the other queues have, and finds their jobs', async () => {
    const { id } = await createRunningScenario(many);
    const jobs = await fillQueues(many, id);
    for (const jobId of jobs) {
      expect((await one.request('GET', `/api/v1/ingest-jobs/${jobId}`)).body.status).to.equal('queued');
    }
    const [first = 0] = await jobsByStripe(one);
    await ingest(one, id, { message: randomUUID() }, later);
    expect((await jobsByStripe(one))[0]).to.equal(first + 1);
    await one.startWorkers();
    await flush(one);
    expect((await getMetrics(one, id)).totals.logs).to.equal(jobs.length + 1);
    expect(await one.app.spool.countLeftovers()).to.equal(0);
  });
});

describe('the limits of the backlog with several ingest queues', () => {
  const service = startTestService({
    environment: { INGEST_QUEUES: '3', INGEST_MAX_BACKLOG: '12', INGEST_MAX_OVERFLOW_BYTES: '0' },
    workers: false,
  });

  it('limits hold for the sum of all queues, also for concurrent writes', async () => {
    const { spool } = service.app;
    const { backlog } = service.config.ingest;
    const batch = { receivedAt: Date.now(), entries: [{ message: 'line' }] };
    const replies = await Promise.all(Array.from({ length: 200 }, () => spool.write(randomUUID(), batch, backlog)));
    expect(replies.filter((reply) => reply === 0)).to.have.length(12);
    expect(replies.filter((reply) => reply === 'batches')).to.have.length(188);
    expect(await spool.findFullLimit(backlog)).to.equal('batches');
    const { id } = await createRunningScenario(service);
    expectError(await ingest(service, id, { message: 'line' }, later), 503, 'SERVICE_UNAVAILABLE');
  });
});
