import { once } from 'node:events';
import { expect } from 'chai';
import type { Cluster } from 'ioredis';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { readConfig } from '../../shared/config/config.ts';
import { connectToMaster } from '../../shared/connections/master-connection.ts';
import { openRedis } from '../../shared/connections/redis.ts';
import { createLog } from '../../shared/process/log.ts';
import { StartError } from '../../shared/process/start-error.ts';
import { connectRedis } from '../../shared/start.ts';
import { isLongForm } from '../support/long-form.ts';
import { createSender } from '../support/members.ts';
import { startHttpBackend } from '../support/notebook-backends.ts';
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts';
import { createRedisNodes } from '../support/redis-nodes.ts';
import { readyReport } from '../support/reports.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { sendUntilEnd } from '../support/send-until-end.ts';
import {
  createTestEnvironment,
  dashboardPassword,
  startTestService,
  type TestService,
} from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Sends a command that waits for members of a key, over the connection that a worker uses. */
async function blockOn(key: string, { config, app }: TestService) {
  const cluster = (await openRedis(config.redisUrl, 'worker', app.log)) as Cluster;
  const connection = connectToMaster(cluster, key, { connectionName: 'blocked' });
  connection.on('error', () => {});
  const popped = connection.bzpopmin(key, 0);
  const clients = async () => (await Promise.all(cluster.nodes('master').map((node) => node.client('LIST')))).join();
  await waitUntil('the command to be blocked', async () => /name=blocked .*flags=b /.test(await clients()));
  return { cluster, connection, popped };
}

describe('with a Redis Cluster of three masters and six ingest queues', () => {
  let redis: RedisCluster;
  let backend: Awaited<ReturnType<typeof startHttpBackend>>;
  const service = startTestService({
    environment: async () => {
      redis = await startRedisCluster({ replicas: false });
      backend = await startHttpBackend();
      return {
        REDIS_URL: redis.url,
        INGEST_QUEUES: '6',
        NOTEBOOK_BACKEND: 'http',
        NOTEBOOK_BACKEND_URL: backend.url,
        NOTEBOOK_BACKEND_TOKEN: backend.token,
        RATE_LIMIT_LOGIN: '3',
      };
    },
  });
  after(async () => {
    await backend.close();
    await redis.close();
  });
  const flush = () =>
    waitUntil('all jobs to end', async () => (await service.request('POST', '/flush')).status === 200, 120_000);

  it('takes entries with every kind of answer, and counts each once', async () => {
    const { id } = await createRunningScenario(service);
    expect((await ingest(service, id, { message: 'full' })).status).to.equal(200);
    for (const answer of ['stored', 'summary']) {
      const body = Array.from({ length: 1_500 }, () => ({ message: answer }));
      expect((await service.request('POST', `/ingest/${id}?answer=${answer}`, { body })).status).to.equal(200);
    }
    const later = await ingest(service, id, { message: 'async' }, { headers: { Prefer: 'respond-async' } });
    expect(later.status).to.equal(202);
    await flush();
    expect((await service.request('GET', `/api/v1/ingest-jobs/${later.body.job_id}`)).body.status).to.equal(
      'completed',
    );
    expect((await getMetrics(service, id)).totals.logs).to.equal(3_002);
    await waitUntil('a cached read', async () => {
      const read = await service.request('GET', `/api/v2/scenarios/${id}`);
      return read.status === 200 && read.headers.get('X-Cache') === 'hit';
    });
  });

  it('serves notebooks, a report and a schedule', async () => {
    const sender = await createSender(service);
    const { id } = await createRunningScenario(sender.service);
    const created = await sender.send('POST', '/api/v1/notebooks', { body: { title: 'Field notes' } });
    expect(created.status, created.text).to.equal(201);
    expect((await sender.send('GET', `/api/v1/notebooks/${created.body.data.id}`)).status).to.equal(200);
    await readyReport(sender, id);
    const body = { scenario_id: id, format: 'csv', cron: '0 7 * * *', timezone: 'Europe/Vienna' };
    const schedule = await sender.send('POST', '/api/v1/report-schedules', { body });
    expect(schedule.status, schedule.text).to.equal(201);
    expect((await sender.send('DELETE', `/api/v1/report-schedules/${schedule.body.id}`)).status).to.equal(204);
  });

  it('limits, reports its health, its metrics and its jobs, and shows its queues', async () => {
    const login = () =>
      service.request('POST', '/api/v1/auth/login', { body: { email: 'nobody@example.com', password: 'wrong one' } });
    for (const _ of [1, 2, 3]) expectError(await login(), 401, 'AUTH_ERROR');
    expectError(await login(), 429, 'RATE_LIMITED');
    expect((await service.request('GET', '/health/ready?for=all')).status).to.equal(200);
    const metrics = await service.request('GET', '/metrics');
    expect(metrics.text).to.match(/^queue_jobs\{queue="ingest-entries",state="completed"\} [1-9]/m);
    const headers = { Authorization: `Basic ${Buffer.from(`admin:${dashboardPassword}`).toString('base64')}` };
    const board = await service.request('GET', '/admin/queues/api/queues?activeQueue=ingest-entries', { headers });
    expect(board.status).to.equal(200);
  });

  it('carries out a transaction whose slot another master has got', async () => {
    const key = '{a slot that moves}:key';
    const { redis: client } = service.app;
    // The client knows the former master.
    await client.get(key);
    await redis.moveSlot(key);
    const replies = await client.multi().set(key, 'a').get(key).exec();
    expect(replies).to.deep.equal([
      [null, 'OK'],
      [null, 'a'],
    ]);
    await client.del(key);
  });

  it('answers a command that is blocked while another master gets its slot', async () => {
    const key = '{a slot that moves while a command waits}:key';
    const { cluster, connection, popped } = await blockOn(key, service);
    await redis.moveSlot(key);
    await cluster.zadd(key, 1, 'member');
    expect(await popped).to.deep.equal([key, 'member', '1']);
    connection.disconnect();
    cluster.disconnect();
  });

  it('has two ingest queues on each master', async () => {
    const { stripes } = service.app.queues['ingest-entries'];
    const found = await Promise.all(stripes.map((stripe) => redis.findMaster(stripe.toKey('wait'))));
    const counts = new Map<number, number>();
    for (const port of found) counts.set(port, (counts.get(port) ?? 0) + 1);
    expect([...counts.values()]).to.deep.equal([2, 2, 2]);
  });
});

// Seven servers. In the short form, redis-sentinel.test.ts shows what a failover does to entries.
if (isLongForm) {
  describe('with replicas in a Redis Cluster', () => {
    let redis: RedisCluster;
    const service = startTestService({
      environment: async () => {
        redis = await startRedisCluster({ replicas: true });
        return { REDIS_URL: redis.url, REDIS_WAIT_REPLICAS: '1', INGEST_QUEUES: '3' };
      },
    });
    after(() => redis.close());

    // The last test shows what the service does then, these what single commands do.
    it('answers a command that is blocked while its master is killed', async () => {
      const key = '{a killed master}:key';
      const { cluster, connection, popped } = await blockOn(key, service);
      const failingOver = redis.failOver(key);
      // As a worker whose command is overdue.
      await waitUntil('the connection to be lost', () => connection.status === 'reconnecting');
      popped.catch(() => {});
      const ended = once(connection, 'end');
      connection.disconnect();
      await ended;
      connection.connect().catch(() => {});
      const poppedLater = connection.bzpopmin(key, 0);
      await failingOver;
      await cluster.zadd(key, 1, 'first', 2, 'second');
      // Redis can still have the command that was given up.
      expect((await poppedLater)?.[1]).to.be.oneOf(['first', 'second']);
      connection.disconnect();
      cluster.disconnect();
    });

    it('finds the master that replaces one whose connections stay open', async () => {
      const key = '{a frozen master}:key';
      const client = await openRedis(service.config.redisUrl, 'request', service.app.log);
      await client.set(key, 'before');
      const thaw = await redis.freeze(key);
      const isSet = () =>
        client.set(key, 'after').then(
          () => true,
          () => false,
        );
      await waitUntil('a write at the new master', isSet);
      client.disconnect();
      await thaw();
    });

    it('loses nothing that it acknowledged and counts nothing twice while a master of entries is killed', async function () {
      this.timeout(300_000);
      await sendUntilEnd(service, {
        disturbances: 3,
        disturb: () => redis.failOver(`${service.config.redisPrefix}:{ingest-entries}:spool-slots`),
      });
    });
  });
}

describe('with a URL of another kind of Redis', () => {
  /** The sentence that a process prints before it ends. */
  const startErrorOf = async (url: string): Promise<string> => {
    const log = createLog({ level: 'error', process: 'web', silent: true });
    const redis = await connectRedis(readConfig({ ...createTestEnvironment(), REDIS_URL: url }), 'request', log).catch(
      (error: unknown) => error,
    );
    expect(redis).to.be.instanceOf(StartError);
    return (redis as StartError).message;
  };

  it('does not start with the URL of one server for a node of a Cluster, and names the other', async () => {
    const nodes = await createRedisNodes();
    const [port, busPort] = [await findFreePort(), await findFreePort()];
    const host = `127.0.0.1:${port}`;
    const lines = [`port ${port}`, `cluster-port ${busPort}`, 'cluster-enabled yes', 'save ""'];
    await nodes.start(`redis://${host}`, port, lines);
    expect(await startErrorOf(`redis://${host}`)).to.equal(
      `REDIS_URL: redis://${host} is a node of a Redis Cluster; use redis+cluster:// or rediss+cluster://.`,
    );
    await nodes.close();
  });

  it('does not start with the URL of a Cluster for one server, and names the other', async function () {
    const { REDIS_URL = '' } = createTestEnvironment();
    if (!REDIS_URL.startsWith('redis://')) this.skip();
    const cluster = REDIS_URL.replace('redis://', 'redis+cluster://').replace(/\/?$/, '');
    expect(await startErrorOf(cluster)).to.match(
      /^REDIS_URL: redis\+cluster:\/\/\S+ is no Redis Cluster; use redis:\/\/ or rediss:\/\/\.$/,
    );
  });

  it('does not start without a node that responds, and says why', async () => {
    expect(await startErrorOf('redis+cluster://127.0.0.1:1')).to.equal(
      'REDIS_URL: no Redis responds at redis+cluster://127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1); start it or correct the variable.',
    );
  });
});
