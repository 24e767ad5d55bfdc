import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createCapacityCheck } from '../../api/ingest/process-entries.ts';
import { dataDirectory } from '../../scripts/ensure-installed.mjs';
import { type RunningRedis, startRedis } from '../../scripts/local-stack/redis-server.ts';
import { Watchdog } from '../../scripts/local-stack/watchdog.ts';
import { createAccount } from '../support/accounts.ts';
import { decodeResponse, encode, encodings, exportLogs, requestOf, schema, textRecord } from '../support/otlp.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const mebibyte = 1024 * 1024;
const withoutWaiting = { headers: { Prefer: 'respond-async' } };

async function processAll(service: TestService): Promise<void> {
  await service.startWorkers();
  try {
    await waitUntil('everything to be processed', async () => {
      const { status } = await service.request('POST', '/flush');
      return status === 200;
    });
  } finally {
    await service.stopWorkers();
  }
}

/**
 * An entry that cannot be compressed, and takes a worker no longer than another: attributes are not
 * scanned.
 */
const incompressible = (bytes: number) => ({
  message: 'a',
  attributes: { b: randomBytes(bytes).toString('base64') },
});

describe('the order of the backlog', () => {
  const service = startTestService({ workers: false, environment: { INGEST_CONCURRENCY: '1', FLUSH_WAIT_MS: '0' } });

  it('has owners of few batches first, and lets those of many take turns', async () => {
    const { id } = await createRunningScenario(service);
    const { id: otherId } = await createRunningScenario(service);
    const { id: honestId } = await createRunningScenario(service);
    const { queue } = service.app.queues['ingest-entries'];
    const createSender = async () => ({
      headers: { ...withoutWaiting.headers, ...(await createAccount(service)).headers },
    });
    const sender = await createSender();
    for (let number = 0; number < 12; number += 1) {
      expect((await ingest(service, id, { message: 'a' }, sender)).status).to.equal(202);
    }
    const lines = await service.request('POST', `/ingest/${otherId}`, {
      headers: { ...(await createAccount(service)).headers, 'Content-Type': 'text/plain' },
      body: 'b\n'.repeat(12_000),
    });
    expect(lines.status, lines.text).to.equal(200);
    const { status, body: honest } = await ingest(service, honestId, { message: 'c' }, await createSender());
    expect(status).to.equal(202);

    const prioritized = await queue.getPrioritized();
    const turns = prioritized.map(({ data }) => data.scenarioId);
    expect(turns).to.deep.equal([id, otherId, id, otherId, id, otherId, id, otherId]);
    const last = await service.request('GET', `/api/v1/ingest-jobs/${prioritized.at(-2)?.id}`);
    expect(last.body.status).to.equal('queued');
    for (const scenarioId of [id, otherId]) {
      const flush = await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': scenarioId } });
      expectError(flush, 503, 'SERVICE_UNAVAILABLE');
      expect(flush.body.error.message).to.contain('time limit: 12;');
    }

    await processAll(service);
    const processed = await queue.getCompleted();
    expect(processed).to.have.length(25);
    const startOf = (jobId?: string) => processed.find((job) => job.id === jobId)?.processedOn ?? 0;
    for (const { id: jobId } of prioritized) {
      expect(startOf(jobId)).to.be.at.least(startOf(honest.job_id));
    }
    expect((await getMetrics(service, id)).totals.logs).to.equal(12);
    expect((await getMetrics(service, otherId)).totals.logs).to.equal(12_000);
    expect((await getMetrics(service, honestId)).totals.logs).to.equal(1);
  });
});

describe('the limits of the backlog', () => {
  const service = startTestService({
    workers: false,
    environment: {
      INGEST_MAX_BACKLOG: '10',
      INGEST_MAX_BACKLOG_BYTES: String(mebibyte),
      INGEST_MAX_OVERFLOW_BYTES: '0',
    },
  });

  /** Headers of a request that does not wait, of a caller of its own. */
  const createCaller = async () => ({
    headers: { ...withoutWaiting.headers, ...(await createAccount(service)).headers },
  });

  it('limits hold for requests that arrive at the same time, half of them for a caller, and capacity is free again after', async () => {
    const { id } = await createRunningScenario(service);
    for (const round of [1, 2]) {
      const callers = [await createCaller(), await createCaller()];
      const send = (options: object) => ingest(service, id, { message: 'a' }, options);
      const responses = await Promise.all(
        callers.map((caller) => Promise.all(Array.from({ length: 20 }, () => send(caller)))),
      );
      for (const own of responses) {
        const refused = own.filter(({ status }) => status !== 202);
        expect(own.length - refused.length).to.equal(5);
        for (const response of refused) {
          if (response.status === 503) expectError(response, 503, 'SERVICE_UNAVAILABLE');
          else expectError(response, 429, 'RATE_LIMITED');
          expect(Number(response.headers.get('Retry-After'))).to.be.greaterThan(0);
        }
      }
      expectError(await send(withoutWaiting), 503, 'SERVICE_UNAVAILABLE');
      await processAll(service);
      expect((await getMetrics(service, id)).totals.logs).to.equal(10 * round);
      expect(await service.app.redis.exists(`${service.config.redisPrefix}:{ingest-entries}:spool-owners`)).to.equal(0);
    }
  });

  it('the limit of bytes counts what is stored, half of it for a caller', async () => {
    const { id } = await createRunningScenario(service);
    const send = (entry: object, options: object) => ingest(service, id, [entry], options);
    const callers = await Promise.all(Array.from({ length: 8 }, createCaller));
    const responses = await Promise.all(callers.map((caller) => send(incompressible(200_000), caller)));
    const accepted = responses.filter(({ status }) => status === 202).length;
    expect(accepted).to.be.within(2, 6);
    for (const response of responses.filter(({ status }) => status !== 202)) {
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect(response.body.error.message).to.contain('memory');
    }
    const packed = await send({ message: 'a'.repeat(200_000) }, withoutWaiting);
    expect(packed.status, 'compressed, it is small').to.equal(202);
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(accepted + 1);
    expect(
      await service.app.redis.hget(`${service.config.redisPrefix}:{ingest-entries}:spool-sizes`, 'total'),
    ).to.equal('0');

    const [caller] = callers;
    for (const status of [202, 202, 429]) {
      expect((await send(incompressible(200_000), caller as object)).status).to.equal(status);
    }
    expect((await send(incompressible(200_000), withoutWaiting)).status, 'of another caller').to.equal(202);
    await processAll(service);
  });

  it('the limit is checked once for requests that arrive together, and again soon after', async () => {
    const { spool, overflow } = service.app;
    let checks = 0;
    const findFullLimit: typeof spool.findFullLimit = (limits) => {
      checks += 1;
      return spool.findFullLimit(limits);
    };
    const checkOf = (maxBatches: number) => {
      const backlog = { ...service.config.ingest.backlog, maxBatches };
      const config = { ...service.config, ingest: { ...service.config.ingest, backlog } };
      return createCapacityCheck({ spool: { ...spool, findFullLimit }, overflow, config });
    };
    const requireCapacity = checkOf(10);
    await Promise.all(Array.from({ length: 50 }, () => requireCapacity('caller')));
    expect(checks).to.equal(1);
    await waitUntil('the backlog to be checked again', async () => {
      await requireCapacity('caller');
      return checks === 2;
    });
    checks = 0;
    const refuseAll = checkOf(0);
    for (const check of [1, 2]) {
      const responses = await Promise.allSettled(Array.from({ length: 50 }, () => refuseAll('caller')));
      for (const { status } of responses) expect(status).to.equal('rejected');
      expect(checks, 'a full backlog is checked by every later request').to.equal(check);
    }
  });

  it('limits are applied before the body is read, as are the scenario and its state', async () => {
    const { id } = await createRunningScenario(service);
    const draft = await createScenario(service);
    // Its body does not end.
    const endless = (scenarioId: string) =>
      fetch(`${service.url}/ingest`, {
        method: 'POST',
        headers: { 'X-Scenario-ID': scenarioId, 'Content-Type': 'application/json' },
        body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('[')) }),
        duplex: 'half',
      });
    for (const caller of [await createCaller(), await createCaller()]) {
      await Promise.all(Array.from({ length: 5 }, () => ingest(service, id, { message: 'a' }, caller)));
    }
    expect((await endless(draft.id)).status).to.equal(409);
    expect((await endless(id)).status).to.equal(503);
    for (const encoding of encodings) {
      const response = await exportLogs(service, id, encode(requestOf([textRecord('a')]), encoding), encoding);
      expect(response.status, response.text).to.equal(503);
      expect(Number(response.headers.get('Retry-After'))).to.be.greaterThan(0);
      expect(decodeResponse(response, encoding, schema.status)['code']).to.equal(14);
    }
    await processAll(service);
  });
});

describe('a full Redis', () => {
  const watchdog = new Watchdog();
  let server: RunningRedis;
  let admin: Redis;
  // Before the service, which is started by a hook too.
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'meterbook-test-'));
    watchdog.removeAtEnd(folder);
    server = await startRedis(folder, dataDirectory(), watchdog);
    admin = new Redis(server.url);
  });
  const service = startTestService({
    workers: false,
    environment: async () => ({ REDIS_URL: server.url, INGEST_MAX_OVERFLOW_BYTES: '0' }),
  });
  after(async () => {
    admin.disconnect();
    await server.close();
    await watchdog.close();
  });

  const usedMemory = async () => Number(/used_memory:(\d+)/.exec(await admin.info('memory'))?.[1]);
  const limitMemory = (bytes: number) => admin.config('SET', 'maxmemory', bytes);
  /** Leaves capacity for some batches, and then a margin in which Redis still works. */
  const fill = async () => {
    await admin.setrange('filler', 12 * mebibyte, 'x');
    await limitMemory(Math.ceil(((await usedMemory()) + mebibyte) / 0.8));
  };
  afterEach(async () => {
    await limitMemory(0);
    await admin.del('filler');
  });

  const send = (id: string) => ingest(service, id, [incompressible(60_000), { message: 'b' }], withoutWaiting);
  async function sendUntilRefused(id: string): Promise<number> {
    let accepted = 0;
    await waitUntil('a refusal', async () => {
      const response = await send(id);
      if (response.status === 202) accepted += 1;
      else expectError(response, 503, 'SERVICE_UNAVAILABLE');
      return response.status === 503;
    });
    return accepted;
  }

  it('responds with 503, and what was accepted is whole', async () => {
    const { id } = await createRunningScenario(service);
    await fill();
    const accepted = await sendUntilRefused(id);
    expect(accepted).to.be.greaterThan(1);
    // Below the memory in use: Redis refuses every command that needs some.
    await limitMemory(mebibyte);
    for (let round = 0; round < 5; round += 1) expectError(await send(id), 503, 'SERVICE_UNAVAILABLE');
    const scenario = await service.request('GET', `/api/v1/scenarios/${id}`);
    expect(scenario.status, 'what does not need Redis').to.equal(200);
    await limitMemory(0);
    expect((await send(id)).status).to.equal(202);
    await processAll(service);
    const { totals } = await getMetrics(service, id);
    expect(totals.logs).to.equal(2 * (accepted + 1));
    expect(totals.size_bytes).to.be.greaterThan(60_000 * (accepted + 1));
  });

  it('goes on with the work that it has while new work is refused', async () => {
    const { id } = await createRunningScenario(service);
    await fill();
    const accepted = await sendUntilRefused(id);
    await processAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(2 * accepted);
    expect((await send(id)).status, 'there is capacity again').to.equal(202);
    await processAll(service);
  });
});
