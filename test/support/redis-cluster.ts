import { randomBytes } from 'node:crypto';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { askRedis, createRedisNodes, durableNode } from './redis-nodes.ts';
import { waitUntil } from './wait-until.ts';

const slots = 16_384;
const masters = 3;

/** Three masters, which share the slots, and as many replicas if wanted. */
export interface RedisCluster {
  /** For `REDIS_URL`. */
  url: string;
  /** The processes of the nodes that were started as masters. */
  processIds: readonly number[];
  /** The port of the master of a key. */
  findMaster(key: string): Promise<number>;
  /** Kills the master of a key, waits until its replica has its slots, and restarts it. */
  failOver(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the nodes on free ports of loopback. A failover begins after two seconds. */
export async function startRedisCluster(options: { replicas: boolean }): Promise<RedisCluster> {
  const nodes = await createRedisNodes();
  const password = randomBytes(12).toString('hex');
  const count = options.replicas ? 2 * masters : masters;
  const ports = await Promise.all(Array.from({ length: count }, findFreePort));
  const busPorts = await Promise.all(Array.from({ length: count }, findFreePort));
  const urlOf = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const start = async (port: number) => {
    const own = [`port ${port}`, `cluster-port ${busPorts[ports.indexOf(port)]}`];
    const lines = [...own, 'cluster-enabled yes', 'cluster-node-timeout 2000', 'hz 100', ...durableNode(password)];
    await nodes.start(urlOf(port), port, lines);
  };
  const command = (port: number, ...words: [string, ...string[]]) =>
    askRedis(urlOf(port), async (redis) => String(await redis.call(...words)));

  for (const port of ports) await start(port);
  const [first = 0] = ports;
  for (const [at, port] of ports.entries()) {
    if (at < masters) {
      const [from, to] = [at, at + 1].map((part) => Math.floor((part * slots) / masters)) as [number, number];
      await command(port, 'CLUSTER', 'ADDSLOTSRANGE', String(from), String(to - 1));
    }
    await command(first, 'CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPorts[at]));
  }
  const ofAll = async (holds: (port: number) => Promise<boolean>) =>
    (await Promise.all(ports.map(holds))).every(Boolean);
  const isKnown = async (port: number) =>
    (await command(port, 'CLUSTER', 'INFO'))?.includes(`cluster_known_nodes:${count}\r`) ?? false;
  await waitUntil('the nodes to know each other', () => ofAll(isKnown), 60_000);
  for (const [at, port] of ports.slice(masters).entries()) {
    const id = await command(ports[at] ?? 0, 'CLUSTER', 'MYID');
    await command(port, 'CLUSTER', 'REPLICATE', id ?? '');
  }
  /** All slots are served, and every replica follows its master. */
  const isComplete = async (port: number) => {
    const state = await command(port, 'CLUSTER', 'INFO');
    const replication = await command(port, 'INFO', 'replication');
    const follows = !replication?.includes('role:slave') || replication.includes('master_link_status:up');
    return follows && (state?.includes('cluster_state:ok') ?? false);
  };
  await waitUntil('the cluster to be complete', () => ofAll(isComplete), 60_000);

  const findMaster = async (key: string, asked = first): Promise<number> => {
    const found = await askRedis(urlOf(asked), async (redis) => {
      const slot = await redis.cluster('KEYSLOT', key);
      const ranges = await redis.cluster('SLOTS');
      return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[1];
    });
    return found ?? 0;
  };
  return {
    url: `redis+cluster://:${password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    processIds: ports.slice(0, masters).map((port) => nodes.processId(port)),
    findMaster: (key) => findMaster(key),
    failOver: async (key) => {
      const old = await findMaster(key);
      const asked = ports.find((port) => port !== old);
      await nodes.kill(old);
      const isReplaced = async () => ![0, old].includes(await findMaster(key, asked));
      await waitUntil('another master', isReplaced, 60_000);
      await start(old);
      await waitUntil('the restarted server to be a replica', () => ofAll(isComplete), 60_000);
    },
    close: () => nodes.close(),
  };
}
