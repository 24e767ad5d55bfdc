import { once } from 'node:events';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { openMongo } from '../../shared/connections/mongo.ts';
import { type RunningProxy, startRedisProxy } from '../support/proxy.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestProcesses } from '../support/test-processes.ts';
import { getTestServers } from '../support/test-servers.ts';
import { dashboardPassword } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

// No other part of the service writes these letters.
const marker = 'zqxjvkmarkerwzq';

describe('the text of a message', () => {
  let proxy: RunningProxy;
  /** The bytes that both processes send to Redis, by connection. */
  const connections: Buffer[][] = [];
  const commands = () => connections.map((chunks) => Buffer.concat(chunks).toString('latin1')).join('\n');
  const service = startTestProcesses(async () => {
    proxy = await startRedisProxy(getTestServers().singleRedisUrl, (client) => {
      const chunks: Buffer[] = [];
      connections.push(chunks);
      client.on('data', (chunk: Buffer) => chunks.push(chunk));
    });
    return { LOG_LEVEL: 'debug', REDIS_URL: proxy.url };
  });
  after(() => proxy.stop());

  it('is not in Redis, documents, logs or the dashboard, except for its redacted preview', async () => {
    const { REDIS_URL = '', REDIS_PREFIX = '', MONGODB_URL = '' } = service.environment;
    const redis = new Redis(REDIS_URL);

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
    const rollUps = `${REDIS_PREFIX}:roll-up-usage:completed`;
    await waitUntil('the usage to be rolled up', async () => (await redis.zcard(rollUps)) > 0);

    const found = [
      ['commands to Redis', commands()],
      ['keys in Redis', await contentsOfRedis(redis, REDIS_PREFIX)],
      ['documents', await allDocuments(MONGODB_URL)],
      ['logs', await service.logs()],
      ['dashboard', await dashboardPages()],
    ] as const;
    for (const [where, text] of found) {
      expect(text.length, `${where} are not empty`).to.be.greaterThan(100);
      expect(text.includes(marker), where).to.equal(false);
    }
    expect(found[2][1], 'previews are stored').to.contain('request 999 took a while');
    redis.disconnect();
    await once(redis, 'end');
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

async function contentsOfRedis(redis: Redis, prefix: string): Promise<string> {
  const contents: string[] = [];
  for await (const keys of redis.scanStream({ match: `*${prefix}*` })) {
    for (const key of keys as string[]) contents.push(key, await contentOf(redis, key));
  }
  return contents.join('\n');
}

/** The value of a key as text. DUMP is not used, because it may compress the value. */
async function contentOf(redis: Redis, key: string): Promise<string> {
  const readers: Record<string, () => Promise<unknown>> = {
    string: async () => (await redis.getBuffer(key))?.toString('latin1'),
    list: () => redis.lrange(key, '0', '-1'),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, '0', '-1'),
    hash: () => redis.hgetall(key),
    stream: () => redis.xrange(key, '-', '+'),
    // The key has expired since the scan.
    none: async () => '',
  };
  const type = await redis.type(key);
  const reader = readers[type];
  if (!reader) throw new Error(`${key} is a ${type}`);
  return JSON.stringify(await reader());
}

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
