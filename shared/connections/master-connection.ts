import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, type Cluster, Redis, type RedisOptions } from 'ioredis';
import { slotOf } from './redis-client.ts';

/** In milliseconds. A failover takes seconds, and each attempt asks for the masters. */
const reconnectDelay = 500;

/** Replies of a node that does not serve the key, or not at present. */
const notServed = /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN|READONLY|UNBLOCKED)\b/;

/**
 * Opens a connection to the master of a Cluster that has `key`, for commands that block. If it is
 * lost, or the node no longer serves the key, it reconnects to the master that has the key then,
 * and sends its commands again.
 *
 * A worker closes its blocking connection and opens it again when a command is overdue. With a
 * `Cluster` as that connection, a worker could wait indefinitely: its `connect` neither succeeds
 * nor fails if the earlier connections to its nodes are closed late.
 * @param cluster knows the masters. The connection has its options.
 */
export function connectToMaster(
  cluster: Cluster,
  key: string,
  options: Pick<RedisOptions, 'connectionName'> = {},
): Redis {
  const redis: Redis = new Redis<'legacy'>({
    ...(cluster.options.redisOptions as Omit<RedisOptions, 'replyMapping'>),
    ...options,
    Connector: createConnector(cluster, slotOf(key)),
    maxRetriesPerRequest: null,
    retryStrategy: () => reconnectDelay,
    // 2 sends the command again.
    reconnectOnError: (error) => (notServed.test(error.message) ? 2 : false),
  });
  const disconnect = redis.disconnect.bind(redis);
  redis.disconnect = (reconnect = false) => {
    // Between two attempts no socket exists whose end would end the connection.
    if (redis.status === 'reconnecting' && !reconnect) redis.status = 'wait';
    disconnect(reconnect);
  };
  return redis;
}

/** Finds the master before each attempt to connect. */
function createConnector(cluster: Cluster, slot: number) {
  return class extends AbstractConnector {
    readonly #tls: RedisOptions['tls'];

    constructor(options: unknown) {
      const { disconnectTimeout = 0, tls } = options as RedisOptions;
      super(disconnectTimeout);
      this.#tls = tls;
    }

    override async connect(): Promise<Socket> {
      this.connecting = true;
      let address = await findMaster(cluster, slot);
      while (!address && this.connecting) {
        await delay(reconnectDelay);
        address = await findMaster(cluster, slot);
      }
      if (!address || !this.connecting) throw new Error('Connection is closed.');
      const socket = this.#tls ? connectTls({ ...address, ...this.#tls }) : connectTcp(address);
      socket.once('error', (error) => {
        this.firstError = error;
      });
      this.stream = socket;
      return socket;
    }
  };
}

/** @returns the last known master if no node responds; undefined if none is known. */
async function findMaster(cluster: Cluster, slot: number): Promise<{ host: string; port: number } | undefined> {
  await new Promise<void>((resolve) => {
    cluster.refreshSlotsCache(() => resolve());
  });
  const node = cluster.slots[slot]?.[0];
  if (node === undefined) return undefined;
  const colon = node.lastIndexOf(':');
  return { host: node.slice(0, colon), port: Number(node.slice(colon + 1)) };
}
