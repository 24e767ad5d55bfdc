import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataDirectory, findRedisServer } from '../../scripts/ensure-installed.mjs';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { waitForRedis } from '../../scripts/local-stack/redis-server.ts';
import { isLongForm } from '../support/long-form.ts';
import { createProgramStarter } from '../support/program-starter.ts';
import { type RedisWithSentinel, startRedisWithSentinel } from '../support/redis-sentinel.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { builtProgram } from '../support/test-build.ts';
import { createTestEnvironment, startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const failovers = isLongForm ? 3 : 1;
const perRequest = 5;

describe('with a Redis that Sentinel watches', () => {
  let redis: RedisWithSentinel;
  const service = startTestService({
    environment: async () => {
      redis = await startRedisWithSentinel();
      return { REDIS_URL: redis.url, REDIS_WAIT_REPLICAS: '1' };
    },
  });
  after(() => redis.close());

  it('loses nothing that it acknowledged and counts nothing twice while masters are killed', async function () {
    this.timeout(300_000);
    const [repeated, once] = await Promise.all([createRunningScenario(service), createRunningScenario(service)]);
    const body = () => Array.from({ length: perRequest }, () => ({ message: randomUUID() }));
    const end = new AbortController();
    let sent = 0;
    let acknowledged = 0;
    const result = { sent: 0, acknowledged: 0 };

    /** Repeats a request with its key until it is answered with 200. */
    const sendUntilStored = async () => {
      while (!end.signal.aborted) {
        const request = { headers: { 'Idempotency-Key': randomUUID() }, body: body() };
        sent += perRequest;
        await waitUntil(
          'the entries to be stored',
          async () => {
            const path = `/ingest/${repeated.id}?answer=stored`;
            const response = await service.request('POST', path, request);
            expect(response.status).to.be.oneOf([200, 202, 409, 503]);
            return response.status === 200;
          },
          120_000,
        );
        acknowledged += perRequest;
      }
    };
    const sendOnce = async () => {
      while (!end.signal.aborted) {
        result.sent += perRequest;
        const response = await service.request('POST', `/ingest/${once.id}`, { body: body() });
        // 202: a worker was late. Nothing is said about these entries here.
        expect(response.status).to.be.oneOf([200, 202, 503]);
        if (response.status === 200) result.acknowledged += perRequest;
      }
    };
    const sending = Promise.all([sendUntilStored(), sendOnce()]);
    sending.catch(() => {});
    const waitForProgress = async () => {
      const before = [acknowledged, result.acknowledged] as const;
      await waitUntil(
        'both senders to continue',
        () => acknowledged > before[0] && result.acknowledged > before[1],
        60_000,
      );
    };
    for (let round = 0; round < failovers; round += 1) {
      await waitForProgress();
      await redis.failOver();
    }
    await waitForProgress();
    end.abort();
    await sending;

    await waitUntil('all jobs to end', async () => (await service.request('POST', '/flush')).status === 200, 120_000);
    expect(acknowledged).to.equal(sent);
    expect((await getMetrics(service, repeated.id)).totals.logs).to.equal(sent);
    expect((await getMetrics(service, once.id)).totals.logs).to.be.within(result.acknowledged, result.sent);
    expect((await ingest(service, once.id, { message: 'after' })).status).to.equal(200);
  });
});

describe('with fewer replicas of Redis than must confirm', () => {
  const service = startTestService({ environment: async () => ({ REDIS_WAIT_REPLICAS: '1' }) });

  it('refuses with 503 what only Redis has, and answers what the database has', async () => {
    const { id } = await createRunningScenario(service);
    const send = (answer: string) =>
      service.request('POST', `/ingest/${id}?answer=${answer}`, { body: [{ message: answer }] });
    // The waits are of one connection, so other commands of the process do not wait for them.
    const refusals = await Promise.all([send('summary'), send('summary'), send('summary')]);
    for (const refused of refusals) {
      expectError(refused, 503, 'SERVICE_UNAVAILABLE');
      expect(refused.body.error.message).to.contain('too few replicas');
      expect(Number(refused.headers.get('Retry-After'))).to.be.greaterThan(0);
    }
    const waiting = send('summary');
    expect((await service.request('GET', '/health/ready')).status).to.equal(200);
    expectError(await waiting, 503, 'SERVICE_UNAVAILABLE');
    const later = await ingest(service, id, { message: 'async' }, { headers: { Prefer: 'respond-async' } });
    expectError(later, 503, 'SERVICE_UNAVAILABLE');
    expect((await send('stored')).status).to.equal(200);
    expect((await ingest(service, id, { message: 'full' })).status).to.equal(200);
  });
});

describe('with a node of a Redis Cluster', () => {
  const startProgram = createProgramStarter();

  it('does not start, and says in one sentence what to use instead', async () => {
    const port = await findFreePort();
    const binary = findRedisServer(dataDirectory());
    const directory = await mkdtemp(join(tmpdir(), 'meterbook-test-cluster-'));
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--cluster-enabled',
      'yes',
      '--dir',
      directory,
      '--save',
      '',
    ];
    const node = startProgram({
      command: binary?.command ?? '',
      args,
      environment: { ...process.env, ...binary?.environment },
    });
    const url = `redis://127.0.0.1:${port}`;
    await waitForRedis(url, AbortSignal.timeout(30_000));
    const web = startProgram(builtProgram('dist/api/main.js', { ...createTestEnvironment(), REDIS_URL: url }));
    const { code, stderr } = await web.ended;
    expect([code, stderr]).to.deep.equal([
      1,
      `REDIS_URL: ${url} is a Redis Cluster, which is not supported; use one Redis, or Sentinel.\n`,
    ]);
    node.child.kill('SIGKILL');
    await node.ended;
    await rm(directory, { recursive: true, force: true });
  });
});
