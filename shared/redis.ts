import { isNotConnectionError } from 'bullmq';
import { Redis, ReplyError } from 'ioredis';
import { second } from './durations.ts';
import { unavailable } from './errors.ts';
import { errorFields, type Log } from './log.ts';

const reconnectDelay = (attempt: number) => Math.min(attempt * 100, 2000);

/**
 * `request`: commands fail at once while Redis is away, so that a caller gets its 503.
 * `worker`: commands wait for ever, as BullMQ's blocking reads need it.
 */
export type RedisRole = 'request' | 'worker';

/** Opens a connection and waits until Redis is ready. Later losses are logged once each and mended in the background. */
export async function openRedis(url: string, role: RedisRole, log: Log): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: reconnectDelay,
    maxRetriesPerRequest: role === 'worker' ? null : 1,
    enableOfflineQueue: role === 'worker',
    // A Redis that hangs is as good as away; blocking reads of workers hang on purpose.
    ...(role === 'request' ? { commandTimeout: 5 * second } : {}),
  });
  let lost = false;
  redis.on('error', (error: Error) => {
    if (lost) return;
    lost = true;
    log.warn('Redis is away', errorFields(error));
  });
  redis.on('ready', () => {
    if (lost) log.info('Redis is back');
    lost = false;
  });
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}

/**
 * Logs what a queue, a worker or a listener reports; but not a lost connection, which every one of them reports at every
 * attempt to mend it: the connection itself tells of it, once.
 */
export function logErrorsOf(
  source: { on(event: 'error', listener: (error: Error) => void): unknown },
  message: string,
  { queue, log }: { queue: string; log: Log },
): void {
  source.on('error', (error) => {
    const isLost = 'syscall' in error || !isNotConnectionError(error);
    if (!isLost) log.warn(message, { queue, ...errorFields(error) });
  });
}

/** Waits for an orderly end of what is on the connection; not for a Redis that is away, which could take for ever. */
export async function closeOrDisconnect(redis: Redis, ending: Promise<unknown>): Promise<void> {
  ending.catch(() => {});
  if (redis.status !== 'ready') return;
  const lost = new Promise((resolve) => redis.once('close', resolve));
  try {
    await Promise.race([ending, lost]);
  } catch (error) {
    // What was under way fails a moment before the loss is told.
    if (redis.status === 'ready') throw error;
  }
}

/** Says goodbye where Redis hears it; the connection is cut in any case. */
export async function closeRedis(redis: Redis): Promise<void> {
  await closeOrDisconnect(
    redis,
    redis.quit().catch(() => {}),
  );
  redis.disconnect();
}

/** First words of replies by which a reachable Redis says that it can not serve now. */
const busyReplies = new Set(['OOM', 'LOADING', 'MASTERDOWN', 'CLUSTERDOWN', 'READONLY', 'MISCONF', 'BUSY']);

function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ReplyError) return busyReplies.has(error.message.split(' ', 1)[0] ?? '');
  // ioredis tells a lost connection by errors of the plain class, of the system, or by its own for retries.
  return error.constructor === Error || 'code' in error || error.name === 'MaxRetriesPerRequestError';
}

/** Runs Redis commands on behalf of a request: Redis away becomes a 503 with `Retry-After`. */
export async function withRedis<T>(commands: () => Promise<T>): Promise<T> {
  try {
    return await commands();
  } catch (error) {
    if (isRedisAway(error)) throw unavailable('The queue is not reachable at the moment.', 2, error);
    throw error;
  }
}
