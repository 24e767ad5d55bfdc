import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { openMongo } from '../../shared/connections/mongo.ts';
import { seededRandom } from '../../shared/seeded-random.ts';
import { type RunningProxy, startTcpProxy } from '../support/proxy.ts';
import { createRunningScenario, flushAll, getMetrics, ingest } from '../support/requests.ts';
import { useServiceProcesses } from '../support/service-processes.ts';
import { getTestServers } from '../support/test-servers.ts';
import { dashboardPassword } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

// No other part of the service writes these letters.
const marker = 'zqxjvkmarkerwzq';

describe('web and worker', () => {
  let redis: RunningProxy;
  /** The bytes that both processes send to Redis, by connection. */
  const connections: Buffer[][] = [];
  const service = useServiceProcesses(async () => {
    redis = await startTcpProxy(getTestServers().redisUrl, (client) => {
      const chunks: Buffer[] = [];
      connections.push(chunks);
      client.on('data', (chunk: Buffer) => chunks.push(chunk));
    });
    // A process that waits as long as it may, at its end, fails the test by its timeout.
    return { REDIS_URL: redis.url, LOG_LEVEL: 'debug', INGEST_CONCURRENCY: '4', SHUTDOWN_GRACE_MS: '600000' };
  });
  after(() => redis.stop());
  let running: Awaited<ReturnType<typeof service.startBoth>>;
  before(async () => {
    running = await service.startBoth();
  });

  it('the text of a message is not in Redis, documents, logs or the dashboard, except for its redacted preview', async () => {
    const { id } = await createRunningScenario(service);
    const lines = Array.from({ length: 1000 }, (_, index) => ({
      message: `${`request ${index} took a while `.padEnd(220, '.')} ${marker} ${index}`,
    }));
    for (let start = 0; start < lines.length; start += 250) {
      const headers: Record<string, string> = start === 0 ? { Prefer: 'respond-async' } : {};
      const response = await ingest(service, id, lines.slice(start, start + 250), { headers });
      expect(response.status).to.equal(start === 0 ? 202 : 200);
      expect(response.text).not.to.contain(marker);
    }
    const refused = await ingest(service, id, [{ message: marker, extra: marker, level: 5 }, { message: '' }]);
    expect(refused.status).to.equal(400);
    await flushAll(service);
    expect((await getMetrics(service, id)).totals.logs).to.equal(1000);

    const found = [
      ['commands to Redis', connections.map((chunks) => Buffer.concat(chunks).toString('latin1')).join('\n')],
      ['documents', await allDocuments(service.environment['MONGODB_URL'] ?? '')],
      ['logs', running.web.stdout() + running.worker.stdout()],
      ['dashboard', await dashboardPages()],
    ] as const;
    for (const [where, text] of found) {
      expect(text.length, `${where} are not empty`).to.be.greaterThan(100);
      expect(text.includes(marker), where).to.equal(false);
    }
    expect(found[1][1], 'previews are stored').to.contain('request 999 took a while');
  });

  async function dashboardPages(): Promise<string> {
    const headers = { Authorization: `Basic ${Buffer.from(`admin:${dashboardPassword}`).toString('base64')}` };
    const get = async (path: string) => (await service.request('GET', `/admin/queues${path}`, { headers })).text;
    const overview = await get('/api/queues?activeQueue=ingest-entries&status=latest&page=1&jobsPerPage=50');
    const { queues } = JSON.parse(overview) as { queues: { name: string; jobs: { id: string }[] }[] };
    const { jobs = [] } = queues.find(({ name }) => name === 'ingest-entries') ?? {};
    expect(jobs.length).to.be.greaterThan(3);
    const pages = await Promise.all(
      jobs.flatMap(({ id }) => [get(`/api/queues/ingest-entries/${id}`), get(`/api/queues/ingest-entries/${id}/logs`)]),
    );
    return [overview, ...pages].join('\n');
  }

  it('a killed worker loses no accepted entry, and counts none twice', async () => {
    const [batches, linesPerBatch] = [40, 20];
    const { id } = await createRunningScenario(service);
    const random = seededRandom(20_261_121);
    let sent = 0;
    const client = async () => {
      for (let batch = sent++; batch < batches; batch = sent++) {
        const lines = Array.from({ length: linesPerBatch }, (_, line) => ({ message: `batch ${batch} line ${line}` }));
        const { status, text } = await ingest(service, id, lines);
        expect([200, 202], text).to.include(status);
        // Spreads the requests, so that jobs are in progress at the kill.
        await delay(random() * 150);
      }
    };
    const killer = async () => {
      await delay(random() * 400);
      running.worker.child.kill('SIGKILL');
      await running.worker.ended;
      running.worker = service.start('worker');
    };
    await Promise.all([killer(), ...Array.from({ length: 8 }, client)]);
    await flushAll(service);
    const { totals, timeseries } = await getMetrics(service, id);
    expect(totals.logs).to.equal(batches * linesPerBatch);
    const inHours = timeseries.reduce((sum: number, { logs }: { logs: number }) => sum + logs, 0);
    expect(inHours).to.equal(batches * linesPerBatch);
  });

  it('web finishes requests in progress at SIGTERM, and ends with exit code 0, as worker does', async () => {
    const { web, worker } = running;
    const { id } = await createRunningScenario(service);
    // The worker is suspended, so the request is still in progress when web receives SIGTERM.
    worker.child.kill('SIGSTOP');
    const response = ingest(service, id, { message: 'the last entry' });
    await waitUntil(
      'the entry to be accepted',
      async () => (await getMetrics(service, id)).totals.pending_entries === 1,
    );
    web.child.kill('SIGTERM');
    await waitUntil('new connections to be refused', async () =>
      service.request('GET', '/health', { headers: { Connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    );
    worker.child.kill('SIGCONT');
    expect((await response).status).to.equal(200);
    expect(await web.ended).to.deep.equal({ code: 0, stderr: '' });
    worker.child.kill('SIGTERM');
    expect(await worker.ended).to.deep.equal({ code: 0, stderr: '' });
  });

  it('web and worker end with exit code 0 at SIGTERM while Redis is unreachable', async () => {
    const { web, worker } = await service.startBoth();
    // The heartbeat of the worker that was killed before also makes the service ready.
    await waitUntil('the worker to be up', async () => worker.stdout().includes('worker is up'));
    await redis.stop();
    for (const { child } of [web, worker]) child.kill('SIGTERM');
    for (const { ended } of [web, worker]) expect(await ended).to.deep.equal({ code: 0, stderr: '' });
  });
});

async function allDocuments(url: string): Promise<string> {
  const mongo = await openMongo(url, { timeoutMs: 20_000, role: 'worker' });
  try {
    const texts: string[] = [];
    for (const { name } of (await mongo.db?.listCollections().toArray()) ?? []) {
      texts.push(name);
      // As the bytes that are stored, which JSON would not show.
      const documents = mongo.collection(name).find<Buffer>({}, { raw: true });
      for await (const document of documents) texts.push(document.toString('latin1'));
    }
    return texts.join('\n');
  } finally {
    await mongo.close();
  }
}
