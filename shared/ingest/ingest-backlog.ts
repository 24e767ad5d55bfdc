import type { Redis } from 'ioredis';
import { minute } from '../durations.ts';
import { ingestEntriesQueue, ingestRetryWindow } from './ingest-entries.queue.ts';

/**
 * The batches that are spooled and not processed yet, with their sizes, and the limits on both. One
 * script checks the limits, takes a place and stores the batch, so that any number of concurrent
 * requests share the room that is left. An owner of batches has at most half of either limit, but
 * always one batch.
 *
 * A place belongs to a spooled batch and to its job. A minute after it was taken, and every minute
 * from then on, it is checked whether both exist; if not (a process ended before it added the job,
 * an operator removed the job, the batch has expired), the place is free again and the batch is
 * removed.
 */
export interface BacklogLimits {
  readonly maxBatches: number;
  /** Bytes as they are stored: compressed and encrypted. */
  readonly maxBytes: number;
}

/**
 * Reasons for which a batch is not stored: a limit, the owner's share of it, or too little memory
 * of Redis.
 */
export type BacklogObstacle = 'batches' | 'bytes' | 'share' | 'memory';

export interface IngestBacklog {
  /** The obstacle for any further batch; null if there is room. */
  findObstacle(limits: BacklogLimits): Promise<BacklogObstacle | null>;
  /**
   * Stores a batch if there is room for it; a batch that has a place keeps it.
   * @returns the number of batches that its owner has then, 0 without an owner; or the obstacle.
   */
  store(batchId: string, bytes: Buffer, limits: BacklogLimits, owner?: string): Promise<number | BacklogObstacle>;
  load(batchId: string): Promise<Buffer | null>;
  has(batchId: string): Promise<boolean>;
  remove(batchId: string): Promise<void>;
  /** The places that are due for a check and lack their batch or their job. */
  countLeftovers(): Promise<number>;
  /** Frees these places and removes their batches. @returns their number. */
  removeLeftovers(): Promise<number>;
}

/** Longer than adding the job of a batch can take. */
const checkInterval = minute;
/** Places checked per request. */
const checksAtOnce = 20;
/** Places checked by one script of a purge. */
const leftoversAtOnce = 200;
/**
 * Share of `maxmemory` beyond which nothing is stored: in a Redis that is full, workers cannot take
 * jobs.
 */
const memoryShare = 0.8;

/** The hash of owners has the owner of each batch, and the sums of each owner. */
const release = `
local function release(places, sizes, owners, id)
  redis.call('ZREM', places, id)
  local size = redis.call('HGET', sizes, id)
  if size then
    redis.call('HDEL', sizes, id)
    redis.call('HINCRBY', sizes, 'total', -size)
  end
  local owner = redis.call('HGET', owners, id)
  if owner then
    redis.call('HDEL', owners, id)
    redis.call('HINCRBY', owners, 'bytes:' .. owner, -(size or 0))
    if redis.call('HINCRBY', owners, 'batches:' .. owner, -1) <= 0 then
      redis.call('HDEL', owners, 'batches:' .. owner, 'bytes:' .. owner)
    end
  end
end`;

/** The places are scored by the time of their next check. */
const storeScript = `${release}
local places, sizes, owners = KEYS[1], KEYS[2], KEYS[3]
local batchPrefix, jobPrefix, id, bytes = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local maxBatches, maxBytes = tonumber(ARGV[5]), tonumber(ARGV[6])
local lifetime, checkInterval, checksAtOnce, memoryShare = ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local owner = ARGV[11]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

for _, due in ipairs(redis.call('ZRANGEBYSCORE', places, '-inf', now, 'LIMIT', 0, checksAtOnce)) do
  -- A full Redis refuses a script whose first write needs memory.
  redis.call('ZREM', places, due)
  if redis.call('EXISTS', batchPrefix .. due) == 1 and redis.call('EXISTS', jobPrefix .. due) == 1 then
    redis.call('ZADD', places, now + checkInterval, due)
  else
    redis.call('DEL', batchPrefix .. due)
    release(places, sizes, owners, due)
  end
end

local held = redis.call('HGET', sizes, id)
if not held and redis.call('ZCARD', places) >= maxBatches then return 'batches' end
-- Without bytes the question is whether there is room at all.
local added = math.max(1, #bytes) - (held or 0)
if (redis.call('HGET', sizes, 'total') or 0) + added > maxBytes then return 'bytes' end
if owner ~= '' then
  local batches = tonumber(redis.call('HGET', owners, 'batches:' .. owner) or 0)
  local ownBytes = tonumber(redis.call('HGET', owners, 'bytes:' .. owner) or 0)
  local hasTooMany = not held and batches >= maxBatches / 2
  if batches > 0 and (hasTooMany or ownBytes + added > maxBytes / 2) then return 'share' end
end
local memory = redis.pcall('INFO', 'memory')
if type(memory) == 'string' then
  local used, limit = memory:match('used_memory:(%d+)'), memory:match('maxmemory:(%d+)')
  if used and limit and tonumber(limit) > 0 and used + #bytes > limit * memoryShare then return 'memory' end
end
if #bytes == 0 then return false end

redis.call('SET', batchPrefix .. id, bytes, 'PX', lifetime)
redis.call('ZADD', places, now + checkInterval, id)
redis.call('HSET', sizes, id, #bytes)
redis.call('HINCRBY', sizes, 'total', added)
if owner ~= '' and not held then
  redis.call('HSET', owners, id, owner)
  redis.call('HINCRBY', owners, 'batches:' .. owner, 1)
end
local counted = redis.call('HGET', owners, id)
if counted then redis.call('HINCRBY', owners, 'bytes:' .. counted, added) end
return tonumber(redis.call('HGET', owners, 'batches:' .. owner) or 0)`;

const removeScript = `${release}
redis.call('DEL', KEYS[4])
release(KEYS[1], KEYS[2], KEYS[3], ARGV[1])`;

/** Checks a portion of the due places. */
const leftoversScript = `${release}
local places, sizes, owners = KEYS[1], KEYS[2], KEYS[3]
local batchPrefix, jobPrefix, remove, offset, portion = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', places, '-inf', now, 'LIMIT', offset, portion)
local found = 0
for _, id in ipairs(due) do
  if redis.call('EXISTS', batchPrefix .. id) == 0 or redis.call('EXISTS', jobPrefix .. id) == 0 then
    found = found + 1
    if remove == '1' then
      redis.call('DEL', batchPrefix .. id)
      release(places, sizes, owners, id)
    end
  end
end
return {#due, found}`;

export function createIngestBacklog({ redis, prefix }: { redis: Redis; prefix: string }): IngestBacklog {
  const keys = [`${prefix}:spool-places`, `${prefix}:spool-sizes`, `${prefix}:spool-owners`] as const;
  const batchPrefix = `${prefix}:spool:`;
  const jobPrefix = `${prefix}:${ingestEntriesQueue.name}:`;

  /** @returns what the script returns: null for a batch without bytes that has room. */
  const runStore = (id: string, bytes: Buffer, { maxBatches, maxBytes }: BacklogLimits, owner = '') =>
    redis.eval(
      storeScript,
      keys.length,
      ...keys,
      batchPrefix,
      jobPrefix,
      id,
      bytes,
      maxBatches,
      maxBytes,
      ingestRetryWindow,
      checkInterval,
      checksAtOnce,
      memoryShare,
      owner,
    );

  const checkLeftovers = async (remove: boolean) => {
    let total = 0;
    for (let offset = 0; ; ) {
      const [checked, found] = (await redis.eval(
        leftoversScript,
        keys.length,
        ...keys,
        batchPrefix,
        jobPrefix,
        remove ? '1' : '0',
        offset,
        leftoversAtOnce,
      )) as [number, number];
      total += found;
      if (checked < leftoversAtOnce) return total;
      offset += remove ? checked - found : checked;
    }
  };

  return {
    countLeftovers: () => checkLeftovers(false),
    removeLeftovers: () => checkLeftovers(true),
    findObstacle: async (limits) => (await runStore('', Buffer.alloc(0), limits)) as BacklogObstacle | null,
    store: async (...batch) => (await runStore(...batch)) as number | BacklogObstacle,
    load: (batchId) => redis.getBuffer(batchPrefix + batchId),
    has: async (batchId) => (await redis.exists(batchPrefix + batchId)) === 1,
    remove: async (batchId) => {
      await redis.eval(removeScript, 4, ...keys, batchPrefix + batchId, batchId);
    },
  };
}
