import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { minute, second } from '../../shared/durations.ts';
import { askRedis, durableNode, type RunningRedis, startRedisNode } from '../support/own-redis.ts';
import { createRunningScenario, getMetrics, ingest } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const masterName = 'meterbook-test';
/** A sender would use a core during a failover. */
const pauseMs = 50;
/** A sweep every minute adds the jobs again that were lost more than a minute before. */
const untilSwept = 4 * minute;

describe('with a Redis that Sentinel watches', () => {
  let redis: RedisWithSentinel;
  const service = startTestService({
    environment: async () => {
      redis = await startRedisWithSentinel();
      return { REDIS_URL: redis.url };
    },
  });
  after(() => redis.close());

  it('accepts entries while the master is killed, goes on by itself, and counts each of them once', async () => {
    const { id } = await createRunningScenario(service);
    let accepted = 0;
    const send = async () => {
      const { status } = await ingest(service, id, { message: randomUUID() });
      expect(status).to.be.oneOf([200, 202]);
      accepted += 1;
      return status;
    };
    expect(await send()).to.equal(200);
    const failover = redis.failOver();
    const hasEnded = failover.then(() => true);
    while (!(await Promise.race([hasEnded, delay(pauseMs, false)]))) await send();
    await waitUntil('an entry to be processed', async () => (await send()) === 200);
    const isFlushed = async () => (await service.request('POST', '/flush')).status === 200;
    await waitUntil('all jobs to end', isFlushed, untilSwept);
    expect((await getMetrics(service, id)).totals.logs).to.equal(accepted);
  });
});

/** Three redis-servers, one of them the master, and three sentinels that watch them. */
interface RedisWithSentinel {
  /** For `REDIS_URL`. */
  url: string;
  /** Kills the master, and waits until the sentinels name another. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the servers on free ports of loopback. A sentinel fails over after a second. */
async function startRedisWithSentinel(): Promise<RedisWithSentinel> {
  const servers = new Map<number, RunningRedis>();
  const password = randomBytes(12).toString('hex');
  const ports = await Promise.all(Array.from({ length: 3 }, findFreePort));
  const sentinelPorts = await Promise.all(Array.from({ length: 3 }, findFreePort));
  const [firstMaster = 0] = ports;
  const urlOf = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  for (const port of ports) {
    const replica = port === firstMaster ? [] : [`replicaof 127.0.0.1 ${firstMaster}`];
    const lines = [`port ${port}`, ...durableNode(password), ...replica];
    servers.set(port, await startRedisNode(urlOf(port), lines));
  }
  for (const port of sentinelPorts) {
    const lines = [
      `port ${port}`,
      `sentinel monitor ${masterName} 127.0.0.1 ${firstMaster} 2`,
      `sentinel auth-pass ${masterName} ${password}`,
      `sentinel down-after-milliseconds ${masterName} ${second}`,
      `sentinel failover-timeout ${masterName} 6000`,
    ];
    servers.set(port, await startRedisNode(`redis://127.0.0.1:${port}`, lines, ['--sentinel']));
  }

  const sentinelUrl = `redis://127.0.0.1:${sentinelPorts[0]}`;
  const masterPort = () =>
    askRedis(sentinelUrl, async (sentinel) => {
      const [, port] = (await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName)) as string[];
      return Number(port);
    });
  /** A sentinel only fails over to replicas, and with sentinels, that it has heard of. */
  const isComplete = async () => {
    const master = await masterPort();
    const info = master && (await askRedis(urlOf(master), (redis) => redis.info('replication')));
    if (!info || !info.includes('role:master') || !info.includes('connected_slaves:2')) return false;
    const known = await askRedis(sentinelUrl, async (sentinel) => {
      const fields = (await sentinel.call('SENTINEL', 'MASTER', masterName)) as string[];
      const valueOf = (name: string) => fields[fields.indexOf(name) + 1];
      return `${valueOf('num-slaves')} ${valueOf('num-other-sentinels')}`;
    });
    return known === '2 2';
  };
  await waitUntil('the sentinels to know all servers', isComplete);

  return {
    url: `redis+sentinel://:${password}@${sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',')}/${masterName}`,
    failOver: async () => {
      const old = (await masterPort()) ?? 0;
      await servers.get(old)?.close('SIGKILL');
      const isReplaced = async () => {
        const port = await masterPort();
        if (!port || port === old) return false;
        const info = await askRedis(urlOf(port), (redis) => redis.info('replication'));
        return info?.includes('role:master') ?? false;
      };
      await waitUntil('another master', isReplaced);
    },
    close: async () => {
      await Promise.all([...servers.values()].map((server) => server.close('SIGKILL')));
    },
  };
}
