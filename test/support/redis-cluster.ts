import { randomBytes } from 'node:crypto';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { second } from '../../shared/durations.ts';
import { askRedis, createRedisNodes, durableNode } from './redis-nodes.ts';
import { waitUntil } from './wait-until.ts';

const slots = 16_384;
const masters = 3;

/** Three masters, which share the slots, and as many replicas if wanted. */
export interface RedisCluster {
  /** For `REDIS_URL`. */
  url: string;
  /** The URL of each node, as its admin without TLS. */
  nodeUrls: readonly string[];
  /** The processes of the nodes that were started as masters. */
  processIds: readonly number[];
  /** The port of the master of a key. */
  findMaster(key: string): Promise<number>;
  /** Gives the slot of a key, which must be empty, to another master. */
  moveSlot(key: string): Promise<void>;
  /** Kills the master of a key, waits until its replica has its slots, and restarts it. */
  failOver(key: string): Promise<void>;
  /**
   * Stops the process of the master of a key, whose connections stay open, until its replica has
   * its slots. @returns a function that continues the process.
   */
  freeze(key: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

interface ClusterOptions {
  replicas: boolean;
  /** The time after which a node that does not respond has failed. */
  nodeTimeoutMs?: number;
  /** For callers that use TLS, whom the URL is for then. The nodes use it among themselves too. */
  tls?: {
    /** The lines of a configuration, without those of ports. */
    lines: readonly string[];
    /** The credentials of the URL: `user:password`. */
    credentials: string;
  };
}

/** Starts the nodes on free ports of loopback. */
export async function startRedisCluster(options: ClusterOptions): Promise<RedisCluster> {
  const { replicas, nodeTimeoutMs = 2 * second, tls } = options;
  const nodes = await createRedisNodes();
  const password = randomBytes(12).toString('hex');
  const count = replicas ? 2 * masters : masters;
  const ports = await Promise.all(Array.from({ length: count }, findFreePort));
  const busPorts = await Promise.all(Array.from({ length: count }, findFreePort));
  const tlsPorts = tls ? await Promise.all(Array.from({ length: count }, findFreePort)) : [];
  const urlOf = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const start = async (port: number) => {
    const at = ports.indexOf(port);
    const own = [`port ${port}`, `cluster-port ${busPorts[at]}`];
    if (tls) own.push(`tls-port ${tlsPorts[at]}`, 'tls-cluster yes', ...tls.lines);
    const lines = [
      ...own,
      'cluster-enabled yes',
      `cluster-node-timeout ${nodeTimeoutMs}`,
      'hz 100',
      ...durableNode(password),
    ];
    await nodes.start(urlOf(port), port, lines);
  };
  const command = (port: number, ...words: [string, ...string[]]) =>
    askRedis(urlOf(port), async (redis) => String(await redis.call(...words)));

  for (const port of ports) await start(port);
  const [first = 0] = ports;
  for (const [at, port] of ports.entries()) {
    // As redis-cli does. Masters of the same epoch have to agree on others first.
    await command(port, 'CLUSTER', 'SET-CONFIG-EPOCH', String(at + 1));
    if (at < masters) {
      const [from, to] = [at, at + 1].map((part) => Math.floor((part * slots) / masters)) as [number, number];
      await command(port, 'CLUSTER', 'ADDSLOTSRANGE', String(from), String(to - 1));
    }
    await command(first, 'CLUSTER', 'MEET', '127.0.0.1', String(tlsPorts[at] ?? port), String(busPorts[at]));
  }
  const ofAll = async (holds: (port: number) => Promise<boolean>) =>
    (await Promise.all(ports.map(holds))).every(Boolean);
  const isKnown = async (port: number) =>
    (await command(port, 'CLUSTER', 'INFO'))?.includes(`cluster_known_nodes:${count}\r`) ?? false;
  await waitUntil('the nodes to know each other', () => ofAll(isKnown));
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
  await waitUntil('the cluster to be complete', () => ofAll(isComplete));

  const findMaster = async (key: string, asked = first): Promise<number> => {
    const found = await askRedis(urlOf(asked), async (redis) => {
      const slot = await redis.cluster('KEYSLOT', key);
      const ranges = await redis.cluster('SLOTS');
      return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[1];
    });
    return found ?? 0;
  };
  const hosts = (tls ? tlsPorts : ports).map((port) => `127.0.0.1:${port}`).join(',');
  return {
    url: tls ? `rediss+cluster://${tls.credentials}@${hosts}` : `redis+cluster://:${password}@${hosts}`,
    nodeUrls: ports.map(urlOf),
    processIds: ports.slice(0, masters).map((port) => nodes.processId(port)),
    findMaster: (key) => findMaster(key),
    moveSlot: async (key) => {
      const old = await findMaster(key);
      const target = ports.slice(0, masters).find((port) => port !== old) ?? 0;
      const slot = await askRedis(urlOf(target), (redis) => redis.cluster('KEYSLOT', key));
      const id = await command(target, 'CLUSTER', 'MYID');
      // A message of the old master that was sent before would take the slot back otherwise.
      await command(target, 'CLUSTER', 'BUMPEPOCH');
      for (const port of [target, ...ports.slice(0, masters).filter((other) => other !== target)]) {
        await command(port, 'CLUSTER', 'SETSLOT', String(slot), 'NODE', id ?? '');
      }
      await waitUntil('the slot to move', async () => (await findMaster(key, old)) === target);
    },
    freeze: async (key) => {
      const old = await findMaster(key);
      const asked = ports.find((port) => port !== old);
      const processId = nodes.processId(old);
      process.kill(processId, 'SIGSTOP');
      await waitUntil('another master', async () => ![0, old].includes(await findMaster(key, asked)));
      return async () => {
        process.kill(processId, 'SIGCONT');
        await waitUntil('the continued server to be a replica', () => ofAll(isComplete));
      };
    },
    failOver: async (key) => {
      const old = await findMaster(key);
      const asked = ports.find((port) => port !== old);
      await nodes.kill(old);
      const isReplaced = async () => ![0, old].includes(await findMaster(key, asked));
      await waitUntil('another master', isReplaced);
      await start(old);
      await waitUntil('the restarted server to be a replica', () => ofAll(isComplete));
    },
    close: () => nodes.close(),
  };
}
