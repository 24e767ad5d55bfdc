import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { dataDirectory, findRedisServer } from '../../scripts/ensure-installed.mjs';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { waitForRedis } from '../../scripts/local-stack/redis-server.ts';
import { spawnChild, waitForClose } from '../../scripts/local-stack/spawn-child.ts';
import { Watchdog } from '../../scripts/local-stack/watchdog.ts';
import { waitUntil } from './wait-until.ts';

const masterName = 'meterbook-test';

/** Three redis-servers, one of them the master, and three sentinels that watch them. */
export interface RedisWithSentinel {
  /** For `REDIS_URL`. */
  url: string;
  /** Kills the master, waits until the sentinels name another, and restarts it as a replica. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the servers on free ports of loopback. Sentinels wait a second before a failover. */
export async function startRedisWithSentinel(): Promise<RedisWithSentinel> {
  const watchdog = new Watchdog();
  const directory = await mkdtemp(join(tmpdir(), 'meterbook-test-sentinel-'));
  watchdog.removeAtEnd(directory);
  const binary = findRedisServer(dataDirectory());
  if (!binary) throw new Error('redis-server is not installed.');
  const password = randomBytes(12).toString('hex');
  const running = new Map<number, ReturnType<typeof spawnChild>>();

  const start = async (port: number, lines: readonly string[], flags: readonly string[] = []) => {
    const folder = join(directory, String(port));
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'server.conf');
    // A restarted server keeps what the sentinels have written into its file.
    await writeFile(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'), {
      flag: 'wx',
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    const { command, environment } = binary;
    const child = spawnChild(
      { command, args: [file, ...flags], environment: { ...process.env, ...environment } },
      watchdog,
    );
    for (const stream of [child.stdout, child.stderr]) stream?.resume();
    running.set(port, child);
  };

  const ports = await Promise.all(Array.from({ length: 3 }, findFreePort));
  const sentinelPorts = await Promise.all(Array.from({ length: 3 }, findFreePort));
  const [firstMaster = 0] = ports;
  const nodeLines = (port: number) => [
    `requirepass ${password}`,
    `masterauth ${password}`,
    'appendonly yes',
    'save ""',
    'maxmemory-policy noeviction',
    'repl-diskless-sync-delay 0',
    ...(port === firstMaster ? [] : [`replicaof 127.0.0.1 ${firstMaster}`]),
  ];
  const urlOf = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const startNode = async (port: number) => {
    await start(port, nodeLines(port));
    await waitForRedis(urlOf(port), AbortSignal.timeout(30_000));
  };
  for (const port of ports) await startNode(port);
  for (const port of sentinelPorts) {
    await start(
      port,
      [
        `sentinel monitor ${masterName} 127.0.0.1 ${firstMaster} 2`,
        `sentinel auth-pass ${masterName} ${password}`,
        `sentinel down-after-milliseconds ${masterName} 1000`,
        `sentinel failover-timeout ${masterName} 6000`,
      ],
      ['--sentinel'],
    );
    await waitForRedis(`redis://127.0.0.1:${port}`, AbortSignal.timeout(30_000));
  }

  const ask = async <T>(url: string, question: (redis: Redis) => Promise<T>): Promise<T | undefined> => {
    const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => {});
    try {
      await redis.connect();
      return await question(redis);
    } catch {
      return undefined;
    } finally {
      redis.disconnect();
    }
  };
  const masterPort = () =>
    ask(`redis://127.0.0.1:${sentinelPorts[0]}`, async (sentinel) => {
      const [, port] = (await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName)) as string[];
      return Number(port);
    });
  /** A sentinel only fails over to replicas, and with sentinels, that it has heard of. */
  const isComplete = async () => {
    const master = await masterPort();
    const info = master && (await ask(urlOf(master), (redis) => redis.info('replication')));
    if (!info || !info.includes('role:master') || !info.includes('connected_slaves:2')) return false;
    const known = await ask(`redis://127.0.0.1:${sentinelPorts[0]}`, async (sentinel) => {
      const fields = (await sentinel.call('SENTINEL', 'MASTER', masterName)) as string[];
      const valueOf = (name: string) => fields[fields.indexOf(name) + 1];
      return `${valueOf('num-slaves')} ${valueOf('num-other-sentinels')}`;
    });
    return known === '2 2';
  };
  await waitUntil('the sentinels to know all servers', isComplete, 60_000);

  return {
    url: `redis+sentinel://:${password}@${sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',')}/${masterName}`,
    failOver: async () => {
      const old = (await masterPort()) ?? 0;
      const child = running.get(old);
      if (!child) throw new Error('The sentinels name no master.');
      child.kill('SIGKILL');
      await waitForClose(child);
      await waitUntil(
        'another master',
        async () => {
          const port = await masterPort();
          if (!port || port === old) return false;
          return (await ask(urlOf(port), (redis) => redis.info('replication')))?.includes('role:master') ?? false;
        },
        60_000,
      );
      await startNode(old);
      await waitUntil('two replicas of the new master', isComplete, 60_000);
    },
    close: async () => {
      for (const child of running.values()) {
        child.kill('SIGKILL');
        await waitForClose(child);
      }
      await watchdog.close();
    },
  };
}
