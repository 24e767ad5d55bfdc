import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { hour, minute } from '../../shared/durations.ts';
import { notQueued } from '../../shared/ingest/overflowed-batch.model.ts';
import { queueOverflowed, sweepOverflow } from '../../workers/ingest/queue-overflow.ts';
import { forecastPurge, purge } from '../../workers/purge/purge.ts';
import { createAccount } from '../support/accounts.ts';
import { isLongForm } from '../support/long-form.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const kibibyte = 1024;
const withoutWaiting = { Prefer: 'respond-async' };
/** Redis has capacity for four batches, two of them of one caller. */
const smallBacklog = { INGEST_MAX_BACKLOG: '4', INGEST_CONCURRENCY: '1', FLUSH_WAIT_MS: '500' };

const createCaller = async (service: TestService) => ({
  headers: { ...withoutWaiting, ...(await createAccount(service)).headers },
});

async function countFiles(service: TestService): Promise<number> {
  let count = 0;
  for await (const _id of service.app.files.overflow.listIds()) count += 1;
  return count;
}

const countRows = (service: TestService) => service.app.models.overflowedBatch.countDocuments();

async function processAll(service: TestService): Promise<void> {
  await service.startWorkers();
  try {
    await waitUntil('everything to be processed', async () => (await service.request('POST', '/flush')).status === 200);
    expect(await countRows(service)).to.equal(0);
    await waitUntil('the files to be removed', async () => (await countFiles(service)) === 0);
  } finally {
    await service.stopWorkers();
  }
}

/** Sends single entries until one has overflowed. @returns its id. */
async function overflowOne(service: TestService, scenarioId: string, caller: object, key?: string): Promise<string> {
  const { headers } = caller as { headers: Record<string, string> };
  for (let filled = 0; filled < 2; filled += 1) {
    expect((await ingest(service, scenarioId, { message: 'in Redis' }, caller)).status).to.equal(202);
  }
  const options = { headers: { ...headers, ...(key ? { 'Idempotency-Key': key } : {}) } };
  const { body, status } = await ingest(service, scenarioId, { message: 'overflowed' }, options);
  expect(status).to.equal(202);
  expect(await service.app.models.overflowedBatch.exists({ _id: body.job_id })).not.to.equal(null);
  return body.job_id;
}

// In the short form, the last test of this file has entries that overflow to S3.
for (const store of isLongForm ? (['gridfs', 's3'] as const) : (['gridfs'] as const)) {
  describe(`entries that overflow to ${store}`, () => {
    let server: S3Server | undefined;
    const service = startTestService({
      workers: false,
      environment: async () => {
        if (store === 's3') server = await startS3Server();
        return { ...smallBacklog, ...server?.environment };
      },
    });
    after(() => server?.close());

    it('overflowing entries are accepted beyond the limits of Redis, are reported, and count once when workers return', async () => {
      const { id } = await createRunningScenario(service);
      const caller = await createCaller(service);
      const jobIds: string[] = [];
      for (let number = 0; number < 10; number += 1) {
        const { body, status } = await ingest(service, id, { message: `line ${number}` }, caller);
        expect(status).to.equal(202);
        jobIds.push(body.job_id);
      }
      const lines = await service.request('POST', `/ingest/${id}`, {
        headers: { ...caller.headers, 'Content-Type': 'text/plain' },
        body: 'a\n'.repeat(2_500),
      });
      expect(lines.status, lines.text).to.equal(200);
      expect(lines.body.accepted).to.equal(2_500);
      expect(await countRows(service)).to.equal(11);
      expect(await countFiles(service)).to.equal(11);

      const job = await service.request('GET', `/api/v1/ingest-jobs/${jobIds.at(-1)}`);
      expect(job.body).to.deep.include({ status: 'queued', accepted: 1, scenario_id: id, results: null });
      const flush = await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
      expectError(flush, 503, 'SERVICE_UNAVAILABLE');
      expect(flush.body.error.message).to.contain('time limit: 13;');
      const { text } = await service.request('GET', '/metrics');
      expect(text).to.match(/^ingest_overflow_batches 11$/m);
      expect(text).to.match(/^ingest_overflow_bytes \d{6}$/m);

      await processAll(service);
      expect((await getMetrics(service, id)).totals.logs).to.equal(2_510);
      for (const jobId of jobIds) {
        expect((await service.request('GET', `/api/v1/ingest-jobs/${jobId}`)).body.status).to.equal('completed');
      }
    });
  });
}

describe('overflowed entries', () => {
  const service = startTestService({ workers: false, environment: smallBacklog });
  const queue = () => service.app.queues['ingest-entries'].queue;
  const rows = () => service.app.models.overflowedBatch;

  it('overflowed entries are removed with their scenario, also by a job that is delivered afterwards', async () => {
    const { id } = await createRunningScenario(service);
    const caller = await createCaller(service);
    await overflowOne(service, id, caller);
    const queued = await overflowOneMore(service, id, caller);
    await waitUntil('the job', async () => {
      await queueOverflowed(service.app);
      return (await queue().getJob(queued)) !== undefined;
    });
    const flush = await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    expect(flush.body.error.message, 'a batch with a job is counted once').to.contain('time limit: 4;');
    expect((await service.request('DELETE', `/api/v1/scenarios/${id}`)).status).to.equal(204);
    await processAll(service);
    expect((await queue().getJob(queued))?.failedReason).to.match(/^NOT_FOUND/);
    expect(await service.app.models.logBatch.countDocuments({ scenarioId: id })).to.equal(0);
  });

  it('overflowed entries count once if their job is lost, or is delivered again after they count', async () => {
    const { id } = await createRunningScenario(service);
    const batchId = await overflowOne(service, id, await createCaller(service));
    const row = await rows().findById(batchId).lean();
    if (!row) throw new Error('the batch has not overflowed');
    // The job was added, and Redis has lost it.
    await rows().updateOne({ _id: batchId }, { queuedAt: new Date(Date.now() - 2 * minute) });
    const { encrypted: copy } = (await service.app.overflow.read(batchId)) ?? {};
    await sweepOverflow(service.app);
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(3);

    // A worker has ended after its writes and before the removal.
    const fileId = new mongo.ObjectId();
    const bytes = async function* () {
      yield copy as Buffer;
    };
    await service.app.files.overflow.put(fileId, bytes(), new AbortController().signal);
    await rows().collection.insertOne({ ...row, fileId, queuedAt: new Date(Date.now() - 2 * minute) } as never);
    await sweepOverflow(service.app);
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(3);
  });

  it('overflowed entries are not accepted twice by a repeat, and again by one after their file was lost', async () => {
    const { id } = await createRunningScenario(service);
    const caller = await createCaller(service);
    const key = randomUUID();
    const batchId = await overflowOne(service, id, caller, key);
    const repeat = () =>
      ingest(service, id, { message: 'overflowed' }, { headers: { ...caller.headers, 'Idempotency-Key': key } });
    expect((await repeat()).body.job_id).to.equal(batchId);
    expect(await rows().countDocuments({ scenarioId: id })).to.equal(1);

    const { fileId } = (await rows().findById(batchId).lean()) ?? {};
    if (fileId) await service.app.files.overflow.remove(fileId);
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
    expect((await service.request('GET', `/api/v1/ingest-jobs/${batchId}`)).body.status).to.equal('failed');
    expect((await repeat()).status).to.equal(202);
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(3);
  });

  it('overflowed entries wait for a worker of the store that has them, and stay meanwhile', async () => {
    const { id } = await createRunningScenario(service);
    const batchId = await overflowOne(service, id, await createCaller(service));
    const row = await rows().findById(batchId).lean();
    if (!row) throw new Error('the batch has not overflowed');
    await rows().updateOne({ _id: batchId }, { store: 's3://elsewhere/' });
    await queueOverflowed(service.app);
    expect(await queue().getJob(batchId), 'a worker of another store adds no job').to.equal(undefined);
    const { scenarioId, requestId, count } = row;
    await service.app.queues['ingest-entries'].add({ batchId, scenarioId, requestId, count }, { jobId: batchId });
    await service.startWorkers();
    await waitUntil('an attempt', async () => {
      const job = await queue().getJob(batchId);
      return (
        job?.failedReason?.startsWith('SERVICE_UNAVAILABLE: The entries are in the store s3://elsewhere/') ?? false
      );
    });
    await service.stopWorkers();
    expect(await rows().exists({ _id: batchId })).not.to.equal(null);
    await rows().updateOne({ _id: batchId }, { store: 'gridfs' });
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(3);
  });

  it('overflowed entries stay if they are accepted again while a job that has not found their file ends', async () => {
    const { id } = await createRunningScenario(service);
    const batchId = await overflowOne(service, id, await createCaller(service));
    await service.app.overflow.remove(batchId, new mongo.ObjectId());
    expect(await countRows(service)).to.equal(1);
    expect(await countFiles(service)).to.equal(1);
    await processAll(service);
  });

  it('overflowed entries are removed at once if the worker has found them in Redis too', async () => {
    const { id } = await createRunningScenario(service);
    const batchId = await overflowOne(service, id, await createCaller(service));
    const batch = { receivedAt: Date.now(), entries: [{ message: 'overflowed' }] };
    await service.app.spool.write(batchId, batch, { maxBatches: 100, maxBytes: 1024 * kibibyte });
    // The job is added some time before it is processed.
    await queueOverflowed(service.app);
    const { usage } = service.app.overflow;
    await waitUntil('no batch to be without a job', async () => (await usage.read()).batches === 0);
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(3);
  });

  it('overflowed entries whose jobs wait for a retry hold back those of their caller only', async () => {
    const failing = Array.from({ length: 300 }, () => ({
      ...createBatch('failing', Date.now() - minute),
      queuedAt: new Date(),
    }));
    const other = createBatch('other', Date.now());
    const later = createBatch('failing', Date.now());
    await rows().collection.insertMany([...failing, other, later] as never);
    await queue().addBulk(
      failing.map(({ _id }) => ({ name: 'waits for a retry', data: {}, opts: { jobId: _id, delay: hour } })),
    );
    await waitUntil('the job of the other caller', async () => {
      await queueOverflowed(service.app);
      return (await queue().getJob(other._id)) !== undefined;
    });
    expect(await queue().getJob(later._id)).to.equal(undefined);
    await rows().deleteMany({});
    await queue().obliterate({ force: true });
  });

  it('overflowed entries are removed when they are past their end, as are files that no batch names', async () => {
    const { id } = await createRunningScenario(service);
    const batchId = await overflowOne(service, id, await createCaller(service));
    await rows().updateOne({ _id: batchId }, { createdAt: new Date(Date.now() - 49 * hour) });
    const bytes = async function* () {
      yield Buffer.from('a');
    };
    const old = mongo.ObjectId.createFromTime((Date.now() - 2 * hour) / 1000);
    for (const fileId of [old, new mongo.ObjectId()]) {
      await service.app.files.overflow.put(fileId, bytes(), new AbortController().signal);
    }
    const expected = { 'overflowed batches past their end': 1, 'files without an overflowed batch': 1 };
    const forecast = await forecastPurge(service.app);
    expect(Object.fromEntries(forecast.map(({ name, count }) => [name, count]))).to.include(expected);
    expect(await purge(service.app)).to.include(expected);
    expect(await countRows(service)).to.equal(0);
    expect(await countFiles(service), 'a file can be waiting for its row').to.equal(1);
    for await (const fileId of service.app.files.overflow.listIds()) await service.app.files.overflow.remove(fileId);
    await processAll(service);
  });

  it('overflowed entries hold back the later entries of their caller, not those of others', async () => {
    const { id } = await createRunningScenario(service);
    const caller = await createCaller(service);
    const batchId = await overflowOne(service, id, caller);
    await rows().updateOne({ _id: batchId }, { createdAt: new Date(Date.now() - minute) });
    for (const job of await queue().getJobs()) {
      await job.remove();
      await service.app.spool.clear(job.id ?? '');
    }
    const send = (options: object) => ingest(service, id, { message: 'later' }, options);
    await waitUntil('an entry to overflow although Redis has capacity', async () => {
      const { body } = await send(caller);
      const isOverflowed = (await rows().exists({ _id: body.job_id })) !== null;
      if (!isOverflowed) await service.app.spool.clear(body.job_id);
      return isOverflowed;
    });
    const { body } = await send(await createCaller(service));
    expect(await rows().exists({ _id: body.job_id })).to.equal(null);
    await processAll(service);
  });

  it('overflowed entries are queued oldest first for each caller, and callers of few do not wait for those of many', async () => {
    const many = Array.from({ length: 200 }, (_, index) => createBatch('many', Date.now() - minute + index));
    const few = createBatch('few', Date.now());
    await rows().collection.insertMany([...many, few] as never);
    await waitUntil('the first jobs', async () => {
      await queueOverflowed(service.app);
      return (await rows().countDocuments({ queuedAt: { $gt: notQueued } })) > 0;
    });
    const queued = await rows()
      .find({ queuedAt: { $gt: notQueued } }, { _id: 1 })
      .lean();
    expect(queued.length).to.be.below(66);
    expect(queued.map(({ _id }) => _id)).to.include.members([few._id, ...many.slice(0, 30).map(({ _id }) => _id)]);
    const [next] = await queue().getWaiting();
    expect(next?.id, 'without a priority, it is processed first').to.equal(few._id);
    await rows().deleteMany({});
    await queue().obliterate({ force: true });
  });
});

/** The row of a batch whose file does not exist. */
const createBatch = (owner: string, at: number) => ({
  _id: randomUUID(),
  scenarioId: randomUUID(),
  requestId: randomUUID(),
  count: 1,
  owner,
  fileId: new mongo.ObjectId(),
  store: 'gridfs',
  sizeBytes: 1,
  chargedBytes: 16 * kibibyte,
  createdAt: new Date(at),
  queuedAt: notQueued,
});

async function overflowOneMore(service: TestService, scenarioId: string, caller: object): Promise<string> {
  const { body } = await ingest(service, scenarioId, { message: 'overflowed' }, caller);
  expect(await service.app.models.overflowedBatch.exists({ _id: body.job_id })).not.to.equal(null);
  return body.job_id;
}

describe('the limit of the overflow', () => {
  const service = startTestService({
    workers: false,
    environment: { ...smallBacklog, INGEST_MAX_OVERFLOW_BYTES: String(64 * kibibyte) },
  });

  it('counts each batch at least 16 KiB, half of it for a caller', async () => {
    const { id } = await createRunningScenario(service);
    const send = (caller: object) => ingest(service, id, { message: 'a' }, caller);
    for (const caller of [await createCaller(service), await createCaller(service)]) {
      for (let number = 0; number < 4; number += 1) expect((await send(caller)).status).to.equal(202);
      const refused = await send(caller);
      expect(refused.status, refused.text).to.be.oneOf([429, 503]);
      expect(Number(refused.headers.get('Retry-After'))).to.be.greaterThan(0);
    }
    expectError(await send(await createCaller(service)), 503, 'SERVICE_UNAVAILABLE');
    expect(await countRows(service)).to.equal(4);
    expect(await countFiles(service), 'nothing is left of refused entries').to.equal(4);
    const { overflow } = service.app;
    expect(await overflow.findFullLimit('another caller'), 'a body is refused before it is read').to.equal('overflow');
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(8);
  });
});

describe('overflowed entries with REDIS_WAIT_REPLICAS', () => {
  // More than the Redis of any run has.
  const service = startTestService({ workers: false, environment: { ...smallBacklog, REDIS_WAIT_REPLICAS: '5' } });

  it('overflowed entries are accepted while too few replicas of Redis respond, because MongoDB has them', async () => {
    const { id } = await createRunningScenario(service);
    const caller = await createCaller(service);
    for (const text of ['in Redis', 'in Redis']) {
      expectError(await ingest(service, id, { message: text }, caller), 503, 'SERVICE_UNAVAILABLE');
    }
    expect((await ingest(service, id, { message: 'overflowed' }, caller)).status).to.equal(202);
    const lines = await service.request('POST', `/ingest/${id}`, {
      headers: { ...caller.headers, 'Content-Type': 'text/plain' },
      body: 'a\nb\n',
    });
    expect(lines.status, lines.text).to.equal(200);
    expect(await countRows(service)).to.equal(2);
    await processAll(service);
  });
});

describe('an object store that is unreachable', () => {
  let server: S3Server;
  before(async () => {
    server = await startS3Server();
  });
  const service = startTestService({
    workers: false,
    environment: async () => ({ ...smallBacklog, ...server.environment, MONGODB_TIMEOUT_MS: '5000' }),
  });
  after(() => server.close());

  it('refuses what would overflow with 503, is listed, and delays what has overflowed', async () => {
    const { id } = await createRunningScenario(service);
    const caller = await createCaller(service);
    await overflowOne(service, id, caller);
    await server.proxy.stop();
    expectError(await ingest(service, id, { message: 'a' }, caller), 503, 'SERVICE_UNAVAILABLE');
    const ready = await service.request('GET', '/health/ready');
    expect([ready.status, ready.body.checks.report_store]).to.deep.equal([200, 'down']);
    await service.startWorkers();
    await waitUntil('an attempt', async () => {
      const jobs = await service.app.queues['ingest-entries'].queue.getDelayed();
      return jobs.some(({ failedReason }) => failedReason?.startsWith('SERVICE_UNAVAILABLE'));
    });
    await service.stopWorkers();
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
    await server.proxy.start();
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(3);
  });
});
