import { expect } from 'chai';
import { openRedis } from '../../shared/connections/redis.ts';
import { second } from '../../shared/durations.ts';
import { captureLog } from '../support/capture-log.ts';
import { type OwnRedis, startOwnRedis } from '../support/own-redis.ts';
import { type RunningProxy, startTcpProxy } from '../support/proxy.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Three times the limit, for slow machines. */
const responseLimit = 18 * second;

describe('outages of Redis', () => {
  let own: OwnRedis;
  let proxy: RunningProxy;
  let processId = 0;
  // A wait that the outage interrupts must not outlast the test.
  const service = startTestService({
    environment: async () => {
      own = await startOwnRedis();
      proxy = await startTcpProxy(own.url);
      processId = Number(/^process_id:(\d+)/m.exec(await own.admin.info('server'))?.[1]);
      return { REDIS_URL: proxy.url, NOTEBOOK_API_VARIANT: '0.2.0', INGEST_WAIT_MS: '3000' };
    },
    config: { flushWaitMs: 1000 },
  });
  const repair = async () => {
    // A frozen process cannot end.
    process.kill(processId, 'SIGCONT');
    await proxy.start();
    await own.makeMaster();
    await own.admin.config('SET', 'maxmemory', '0');
  };
  afterEach(repair);
  after(async () => {
    await proxy.stop();
    await own.close();
  });

  const conditions: [name: string, problem: string, begin: () => unknown][] = [
    ['is unreachable', 'is down', () => proxy.stop()],
    ['does not respond', 'is down', () => process.kill(processId, 'SIGSTOP')],
    ['has become a replica', 'is read-only', () => own.makeReplica()],
    ['is full', 'is down', () => own.admin.config('SET', 'maxmemory', '1')],
  ];
  for (const [name, problem, begin] of conditions) {
    it(`a Redis that ${name}: entries are accepted, the rest is served, and they are processed afterwards`, async () => {
      const { id } = await createRunningScenario(service);
      await begin();
      let accepted = 0;
      // In the second round, the problem is known.
      for (const _ of ['first', 'second']) {
        const start = performance.now();
        const [late, summary, notebook, ...reads] = await Promise.all([
          ingest(service, id, { message: 'later' }),
          service.request('POST', `/ingest/${id}`, { headers: { 'Content-Type': 'text/plain' }, body: 'later' }),
          service.request('POST', '/api/v1/notebooks', { body: { title: 'not now' } }),
          ...['/health', '/api/v1/scenarios', '/api/v2/scenarios', `/api/v1/scenarios/${id}`].map((path) =>
            service.request('GET', path),
          ),
        ]);
        expect(performance.now() - start).to.be.below(responseLimit);
        expect([late.status, summary.status], late.text).to.deep.equal([202, 200]);
        expectError(notebook, 503, 'SERVICE_UNAVAILABLE');
        expect(reads.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
        expect((await service.request('GET', late.body.status_url)).body.status).to.equal('queued');
        accepted += 2;
        expect((await getMetrics(service, id)).totals).to.include({ logs: 0, pending_entries: accepted });
      }
      expectError(await service.request('POST', '/flush'), 503, 'SERVICE_UNAVAILABLE');
      if (name === 'is unreachable') {
        expectError(await service.request('GET', '/metrics'), 503, 'SERVICE_UNAVAILABLE');
      }
      const created = await createScenario(service);
      const deleted = await service.request('DELETE', `/api/v1/scenarios/${created.id}`);
      expect(deleted.status, 'the stored mark is sufficient').to.equal(204);
      await waitUntil('the problem to be reported', async () => {
        const { status, body } = await service.request('GET', '/health/ready?for=notebooks');
        const details: { field: string; error: string }[] = body.error?.details ?? [];
        return status === 503 && details.some(({ field, error }) => field === 'redis' && error === problem);
      });
      for (const purpose of ['', '?for=ingest']) {
        const { status, body } = await service.request('GET', `/health/ready${purpose}`);
        expect([status, body.checks.mongodb, body.checks.redis]).to.deep.equal([200, 'up', 'down']);
      }

      await repair();
      await waitUntil('an entry to be processed', async () => {
        const { status } = await ingest(service, id, { message: 'now' });
        if (status === 200 || status === 202) accepted += 1;
        return status === 200;
      });
      await waitUntil(
        'all entries to be counted',
        async () => (await getMetrics(service, id)).totals.logs === accepted,
      );
      await waitUntil('Redis to be used again', async () => {
        const { headers } = await service.request('GET', '/api/v2/scenarios');
        return headers.get('X-Cache') === 'hit';
      });
    });
  }
});

it('a connection to a Redis that has become a replica is opened again, because its address can lead to the new master', async () => {
  const server = await startOwnRedis();
  let connections = 0;
  const proxy = await startTcpProxy(server.url, () => {
    connections += 1;
  });
  const redis = await openRedis(proxy.url, 'request', captureLog().log);
  try {
    await server.makeReplica();
    for (const opened of [2, 3]) {
      const refusal = await redis.set('a key', '1').catch((error: Error) => error.message);
      expect(refusal).to.contain('READONLY');
      await waitUntil('a new connection', () => connections === opened && redis.status === 'ready');
    }
    await server.makeMaster();
    expect(await redis.set('a key', '1')).to.equal('OK');
  } finally {
    redis.disconnect();
    await proxy.stop();
    await server.close();
  }
});
