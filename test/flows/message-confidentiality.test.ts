import { expect } from 'chai';
import { openMongo } from '../../shared/connections/mongo.ts';
import { type RunningProxy, startTcpProxy } from '../support/proxy.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestProcesses } from '../support/test-processes.ts';
import { getTestServers } from '../support/test-servers.ts';
import { dashboardPassword } from '../support/test-service.ts';

// No other part of the service writes these letters.
const marker = 'zqxjvkmarkerwzq';

describe('the text of a message', () => {
  let proxy: RunningProxy;
  /** The bytes that both processes send to Redis, by connection. */
  const connections: Buffer[][] = [];
  const commands = () => connections.map((chunks) => Buffer.concat(chunks).toString('latin1')).join('\n');
  const service = startTestProcesses(async () => {
    proxy = await startTcpProxy(getTestServers().singleRedisUrl, (client) => {
      const chunks: Buffer[] = [];
      connections.push(chunks);
      client.on('data', (chunk: Buffer) => chunks.push(chunk));
    });
    return { LOG_LEVEL: 'debug', REDIS_URL: proxy.url };
  });
  after(() => proxy.stop());

  it('is not in Redis, documents, logs or the dashboard, except for its redacted preview', async () => {
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
    expect((await service.request('POST', '/flush')).status).to.equal(200);
    expect((await getMetrics(service, id)).totals.logs).to.equal(1000);

    const found = [
      ['commands to Redis', commands()],
      ['documents', await allDocuments(service.environment['MONGODB_URL'] ?? '')],
      ['logs', await service.logs()],
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
