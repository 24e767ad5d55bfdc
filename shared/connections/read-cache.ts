import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { sha256 } from '../crypto/sha256.ts';
import { minute, second } from '../durations.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics/metrics.ts';
import { succeedsWithin } from '../process/succeeds-within.ts';
import { isMongoUnavailable } from './mongo.ts';

/**
 * A cache in Redis of what is read from the database, for all processes. Once a write that passes
 * `invalidate` has returned, no process serves what was read before it.
 *
 * Every entry has the generation in which it was read: a random id in Redis, so that no generation
 * repeats. An entry is served only in its own generation. A write removes the generation after the
 * database has changed, and the next reader makes a new one. A reader determines the generation
 * before it reads the database. So if a write comes between its read and its store, it stores an
 * entry of a generation that is gone.
 *
 * Before it changes the database, a write also registers itself and removes the generation. While
 * any write is registered, nothing is served or stored. So a process that ends between the change
 * and the second removal leaves nothing outdated: what was stored before has no generation, and the
 * registration expires after the longest write.
 *
 * Redis can lose the latest changes when it restarts or fails over, and with them a removal or a
 * registration. Every connection is lost then. Therefore a process uses the cache only over a
 * connection over which it has removed the generation itself.
 *
 * A removal can fail while other processes reach Redis. Then those can serve outdated entries until
 * this process reaches Redis again, and at most for the lifetime of an entry.
 *
 * proof/read-cache.pml is a model of this.
 */
export interface ReadCache {
  /**
   * Returns the entry of `key`, or what `load` reads: a value of JSON. `key` is any text that names
   * everything that changes the value. Without Redis, it reads.
   */
  read<T>(key: string, load: () => Promise<T>): Promise<CachedRead<T>>;
  /** Makes a change that can alter what any entry shows. */
  invalidate<T>(change: () => Promise<T>): Promise<T>;
}

interface CachedRead<T> {
  readonly value: T;
  readonly outcome: 'hit' | 'miss';
}

const entryLifetime = 10 * second;
/** The longest time between the registration of a write and its effect in the database. */
const longestWrite = 1 * minute;
/** A Redis that takes longer counts as unreachable. */
const replyLimit = 1 * second;
const retryInterval = 1 * second;
/**
 * Larger entries are not stored, which bounds the memory of Redis that the requests of a caller can
 * fill.
 */
const maxEntryLength = 64 * 1024;

/** Returns null while a write is registered, otherwise the generation and the entry. */
const readScript = `
local time = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', time[1] * 1000 + math.floor(time[2] / 1000))
if redis.call('ZCARD', KEYS[2]) > 0 then return false end
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[3])}`;

/**
 * The removal comes first: a Redis without free memory refuses a script that begins with an
 * addition.
 */
const beginScript = `
redis.call('DEL', KEYS[1])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2], ARGV[1])
return 1`;

const endScript = `
redis.call('DEL', KEYS[1])
return redis.call('ZREM', KEYS[2], ARGV[1])`;

export function createReadCache(options: {
  redis: Redis;
  prefix: string;
  name: string;
  log: Log;
  /** Counts hits and misses. */
  requests?: Metrics['cacheRequests'];
}): ReadCache {
  const { redis, log, requests, name: cache } = options;
  const prefix = `${options.prefix}:${options.name}`;
  const generationKey = `${prefix}:generation`;
  const keys = [generationKey, `${prefix}:writes`] as const;
  const doubt = trackDoubt(redis, generationKey);

  /** @returns null if the cache cannot be used now. */
  async function find(entryKey: string): Promise<Found | null> {
    const seen = doubt.current();
    if (!(await doubt.settle())) return null;
    const reply = await attempt(() => redis.eval(readScript, 3, ...keys, entryKey, randomUUID()));
    // A command that was in flight when the connection was lost is sent again over the next one.
    if (!reply || seen !== doubt.current()) return null;
    const [generation, entry] = reply as [string, string | null];
    return { generation, json: entry?.startsWith(generation) ? entry.slice(generation.length) : null };
  }

  /** Does not wait: an entry that is not stored is read again. */
  function store(entryKey: string, generation: string, value: unknown): void {
    const json = JSON.stringify(value);
    if (json.length > maxEntryLength) return;
    redis.set(entryKey, generation + json, 'PX', entryLifetime).catch(() => {});
  }

  async function begin(write: string): Promise<void> {
    await attempt(() => redis.eval(beginScript, keys.length, ...keys, write, longestWrite));
  }

  async function end(write: string): Promise<void> {
    if ((await attempt(() => redis.eval(endScript, keys.length, ...keys, write))) !== undefined) return;
    if (doubt.raise()) log.warn('cache not invalidated, trying again', { cache });
  }

  return {
    read: async <T>(key: string, load: () => Promise<T>): Promise<CachedRead<T>> => {
      const entryKey = `${prefix}:entry:${sha256(key, 'base64url')}`;
      const found = await find(entryKey);
      requests?.inc({ cache, result: found?.json ? 'hit' : 'miss' });
      if (found?.json) return { value: JSON.parse(found.json) as T, outcome: 'hit' };
      const value = await load();
      if (found) store(entryKey, found.generation, value);
      return { value, outcome: 'miss' };
    },
    invalidate: async (change) => {
      const write = randomUUID();
      let isUnsettled = false;
      await begin(write);
      try {
        return await change();
      } catch (error) {
        isUnsettled = isMongoUnavailable(error);
        throw error;
      } finally {
        // A change with an unknown outcome can still come into effect, so its registration expires
        // by itself.
        await end(isUnsettled ? '' : write);
      }
    },
  };
}

interface Found {
  generation: string;
  json: string | null;
}

/** @returns the reply of Redis, or undefined without one. */
async function attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
  const replies: T[] = [];
  await succeedsWithin(replyLimit, async () => replies.push(await command()) > 0);
  return replies[0];
}

/**
 * Tracks whether a generation is in doubt: at the start, after the loss of a connection, and after
 * a write that could not remove it. Its removal ends the doubt.
 */
function trackDoubt(redis: Redis, generationKey: string) {
  let raised = 0;
  let settled: number | undefined;
  let isRetrying = false;
  const current = () => raised;

  /** Removes the generation if it is in doubt. @returns whether the cache can be used. */
  async function settle(): Promise<boolean> {
    const seen = current();
    if (settled !== seen && (await attempt(() => redis.del(generationKey))) !== undefined) settled = seen;
    return settled === current();
  }

  async function settleWithRetries(): Promise<void> {
    isRetrying = true;
    while (!(await settle()) && redis.status !== 'end') await delay(retryInterval, undefined, { ref: false });
    isRetrying = false;
  }

  redis.on('close', () => {
    raised += 1;
  });
  redis.on('ready', () => {
    raised += 1;
    void settle();
  });
  return {
    /** Changes with every new doubt. */
    current,
    settle,
    /** Settles a new doubt with retries. @returns whether they begin with it. */
    raise: () => {
      raised += 1;
      if (isRetrying) return false;
      void settleWithRetries();
      return true;
    },
  };
}
