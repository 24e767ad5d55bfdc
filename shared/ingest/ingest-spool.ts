import { type RedisClient, taggedPrefix } from '../connections/redis-client.ts';
import { minute } from '../durations.ts';
import { oneStripe, type Stripes, searchStripes, stripeName, stripeOf, stripesToSearch } from '../queues/stripes.ts';
import { ingestEntriesQueue, ingestRetryWindow } from './ingest-entries.queue.ts';
import { type BatchToSpool, encryptBatch } from './spooled-batch.ts';

/**
 * The raw entries between web and worker: batches that are not processed yet. They are stored in
 * Redis, outside of job data, compressed, encrypted and with an expiry (`spooled-batch.ts`).
 *
 * One script checks the limits, takes a slot and stores the batch, so that any number of concurrent
 * requests share the capacity that is left. An owner of batches has at most half of either limit,
 * but always one batch.
 *
 * A slot belongs to a batch and to its job. A minute after it was taken, and every minute from then
 * on, it is checked whether both exist. If not (a process ended before it added the job, an
 * operator removed the job, the batch has expired), the slot is freed and the batch is removed.
 */
export interface IngestSpool {
  /** The limit that any further batch exceeds; null if another batch fits. */
  findFullLimit(limits: SpoolLimits): Promise<SpoolLimit | null>;
  /**
   * Stores a batch within the limits; a batch that has a slot keeps it.
   * @param owner whose share of the capacity it uses; without one, no share is counted.
   * @returns the number of batches that the owner has in the spool then, 0 without an owner; or the
   * limit that the batch would exceed.
   */
  write(batchId: string, batch: BatchToSpool, limits: SpoolLimits, owner?: string): Promise<number | SpoolLimit>;
  /** @returns the batch for `openSpooledBatch`; null if it was cleared or has expired. */
  readEncrypted(batchId: string): Promise<Buffer | null>;
  /** Whether the batch is in the spool. */
  has(batchId: string): Promise<boolean>;
  clear(batchId: string): Promise<void>;
  /** The slots that are due for a check and lack their batch or their job. */
  countLeftovers(): Promise<number>;
  /** Frees these slots and removes their batches. @returns their number. */
  removeLeftovers(): Promise<number>;
}

/** The limits hold for the sum of all stripes. */
interface SpoolLimits {
  readonly maxBatches: number;
  /** Bytes as they are stored: compressed and encrypted. */
  readonly maxBytes: number;
}

/** Either limit, the owner's share of it, or too little memory of Redis. */
export type SpoolLimit = 'batches' | 'bytes' | 'share' | 'memory';

/** Longer than adding the job of a batch can take. */
const checkInterval = minute;
/** Slots checked per request. */
const checksAtOnce = 20;
/** Slots checked by one script of a purge. */
const leftoversAtOnce = 200;
/**
 * Share of `maxmemory` beyond which nothing is stored: in a Redis that is full, workers cannot take
 * jobs.
 */
const memoryShare = 0.8;

/**
 * The slots are scored by the time of their next check. The hash of sizes has the bytes of each
 * batch and their total; that of owners has the owner of each batch, and the sums of each owner.
 */
const common = `
local slots, sizes, owners = KEYS[1], KEYS[2], KEYS[3]
local batchPrefix, jobPrefix = ARGV[1], ARGV[2]

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function isLeftover(id)
  return redis.call('EXISTS', batchPrefix .. id) == 0 or redis.call('EXISTS', jobPrefix .. id) == 0
end

local function remove(id)
  redis.call('DEL', batchPrefix .. id)
  redis.call('ZREM', slots, id)
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
end
`;

const storeScript = `${common}
local id, bytes, maxBatches, maxBytes = ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local lifetime, checkInterval, checksAtOnce, memoryShare = ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local owner = ARGV[11]

for _, due in ipairs(redis.call('ZRANGEBYSCORE', slots, '-inf', now(), 'LIMIT', 0, checksAtOnce)) do
  -- A full Redis refuses a script whose first write needs memory.
  redis.call('ZREM', slots, due)
  if isLeftover(due) then remove(due) else redis.call('ZADD', slots, now() + checkInterval, due) end
end

local held = redis.call('HGET', sizes, id)
if not held and redis.call('ZCARD', slots) >= maxBatches then return 'batches' end
-- Without bytes the question is whether there is any capacity.
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
redis.call('ZADD', slots, now() + checkInterval, id)
redis.call('HSET', sizes, id, #bytes)
redis.call('HINCRBY', sizes, 'total', added)
if owner ~= '' and not held then
  redis.call('HSET', owners, id, owner)
  redis.call('HINCRBY', owners, 'batches:' .. owner, 1)
end
local counted = redis.call('HGET', owners, id)
if counted then redis.call('HINCRBY', owners, 'bytes:' .. counted, added) end
return tonumber(redis.call('HGET', owners, 'batches:' .. owner) or 0)`;

/** Returns a value only if the batch had a slot. */
const removeScript = `${common}
local slot = redis.call('ZSCORE', slots, ARGV[3])
remove(ARGV[3])
return slot`;

/** Checks a portion of the due slots. */
const leftoversScript = `${common}
local isRemoval, offset, portion = ARGV[3] == '1', ARGV[4], ARGV[5]
local due = redis.call('ZRANGEBYSCORE', slots, '-inf', now(), 'LIMIT', offset, portion)
local found = 0
for _, id in ipairs(due) do
  if isLeftover(id) then
    found = found + 1
    if isRemoval then remove(id) end
  end
end
return {#due, found}`;

/**
 * @param options.stripes those of the queue. The spool has one for each, with an equal share of the
 * limits.
 */
export function createIngestSpool(options: {
  redis: RedisClient;
  prefix: string;
  key: Buffer;
  stripes?: Stripes;
}): IngestSpool {
  const { redis, prefix, key, stripes = oneStripe } = options;
  const opened = Array.from({ length: stripes.known }, (_, at) =>
    openStripe(redis, prefix, stripeName(ingestEntriesQueue.name, at)),
  );
  const used = opened.slice(0, stripes.used);
  const search = <Result>(id: string, find: (stripe: SpoolStripe) => Promise<Result | null | undefined>) =>
    searchStripes(stripesToSearch(id, opened, stripes), find);
  const shareOf = ({ maxBatches, maxBytes }: SpoolLimits): SpoolLimits => ({
    maxBatches: Math.floor(maxBatches / stripes.used),
    maxBytes: Math.floor(maxBytes / stripes.used),
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

  return {
    findFullLimit: async (limits) => {
      const found = await Promise.all(used.map((stripe) => stripe.store('', Buffer.alloc(0), shareOf(limits))));
      // The id of the next batch decides in which stripe it must fit.
      return found.every((limit) => limit !== null) ? ((found[0] ?? null) as SpoolLimit | null) : null;
    },
    write: async (batchId, batch, limits, owner) => {
      const encrypted = await encryptBatch(key, batch, batchId);
      const stripe = opened[stripeOf(batchId, stripes)];
      return (await stripe?.store(batchId, encrypted, shareOf(limits), owner)) as number | SpoolLimit;
    },
    readEncrypted: async (batchId) => (await search(batchId, (stripe) => stripe.read(batchId))) ?? null,
    has: async (batchId) => (await search(batchId, (stripe) => stripe.has(batchId))) ?? false,
    clear: async (batchId) => {
      await search(batchId, (stripe) => stripe.remove(batchId));
    },
    countLeftovers: async () => sum(await Promise.all(opened.map((stripe) => stripe.checkLeftovers(false)))),
    removeLeftovers: async () => sum(await Promise.all(opened.map((stripe) => stripe.checkLeftovers(true)))),
  };
}

type SpoolStripe = ReturnType<typeof openStripe>;

/** A stripe has the tag of its queue, because its scripts read keys of jobs. */
function openStripe(redis: RedisClient, prefix: string, queue: string) {
  const tagged = taggedPrefix(prefix, queue);
  const batchPrefix = `${tagged}:spool:`;
  const keys = ['slots', 'sizes', 'owners'].map((name) => `${tagged}:spool-${name}`);
  const jobPrefix = `${tagged}:${queue}:`;
  const run = (script: string, ...values: (string | number | Buffer)[]) =>
    redis.eval(script, keys.length, ...keys, batchPrefix, jobPrefix, ...values);
  return {
    /** @returns null for a batch without bytes that is within the limits. */
    store: (id: string, bytes: Buffer, { maxBatches, maxBytes }: SpoolLimits, owner = '') =>
      run(
        storeScript,
        id,
        bytes,
        maxBatches,
        maxBytes,
        ingestRetryWindow,
        checkInterval,
        checksAtOnce,
        memoryShare,
        owner,
      ),
    read: (id: string) => redis.getBuffer(batchPrefix + id),
    /** @returns null if it has no such batch. */
    has: async (id: string) => ((await redis.exists(batchPrefix + id)) === 1 ? true : null),
    /** @returns null if it has no such batch. */
    remove: (id: string) => run(removeScript, id),
    checkLeftovers: async (isRemoval: boolean) => {
      let total = 0;
      for (let offset = 0; ; ) {
        const reply = await run(leftoversScript, isRemoval ? '1' : '0', offset, leftoversAtOnce);
        const [checked, found] = reply as [number, number];
        total += found;
        if (checked < leftoversAtOnce) return total;
        offset += isRemoval ? checked - found : checked;
      }
    },
  };
}
