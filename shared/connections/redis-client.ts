import { Cluster, Command, type Redis } from 'ioredis';

/** A connection to one Redis, or connections to the masters of a Cluster. */
export type RedisClient = Redis | Cluster;

/**
 * The beginning of keys that a Cluster keeps on one master, so that a script or a transaction can
 * have several of them. Other Redis ignore the braces.
 */
export const taggedPrefix = (prefix: string, tag: string) => `${prefix}:{${tag}}`;

/** The slot of a Cluster that a key is in. */
export const slotOf = (key: string): number => new Command('get', [key]).getSlot();

/**
 * Tracks the server that has a key. One that was reconnected, and another one, can lack what this
 * process wrote before.
 * @returns a function whose value changes with every reconnect and every other server.
 */
export function trackServer(redis: RedisClient, key: string): () => string {
  const reconnects = reconnectsOf(redis);
  if (!(redis instanceof Cluster)) return () => String(reconnects.count);
  const slot = slotOf(key);
  return () => `${reconnects.count} ${redis.slots[slot]?.[0]}`;
}

const counted = new WeakMap<RedisClient, { count: number }>();

/** Listens once for any number of keys. */
function reconnectsOf(redis: RedisClient): { readonly count: number } {
  const known = counted.get(redis);
  if (known) return known;
  const reconnects = { count: 0 };
  counted.set(redis, reconnects);
  const count = () => (reconnects.count += 1);
  // A node that reconnects leaves the Cluster's list of nodes before.
  if (redis instanceof Cluster) redis.on('-node', count);
  else redis.on('close', count).on('ready', count);
  return reconnects;
}

/** The connections that together have all keys. */
export const mastersOf = (redis: RedisClient): Redis[] => (redis instanceof Cluster ? redis.nodes('master') : [redis]);
