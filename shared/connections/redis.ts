import { isNotConnectionError } from 'bullmq';
import { Redis, ReplyError } from 'ioredis';
import { second } from '../durations.ts';
import { unavailable } from '../errors.ts';
import { errorFields, type Log } from '../process/log.ts';
import { type RedisClientOptions, readRedisUrl } from './connection-urls.ts';

const reconnectDelay = (attempt: number) => Math.min(attempt * 100, 2000);

/** Without a reply in this time, a command fails, and the connection is opened again. */
const replyTimeout = 2 * second;

/** Without Redis, commands of a `request` fail; those of a `worker` wait, as BullMQ requires. */
export type RedisRole = 'request' | 'worker';

/** Whether a write was refused because Redis is a replica. */
export const isReadOnlyError = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('READONLY');

/** A connection to the Redis of a URL: a server, or the master that sentinels name. */
export function createRedis(url: string, options: RedisClientOptions): Redis {
  const target = readRedisUrl(url);
  if ('url' in target) return new Redis<'legacy'>(target.url, options);
  return new Redis<'legacy'>({ ...target.options, ...options });
}

/** Opens a connection, waits until it is ready, and logs each loss once. */
export async function openRedis(url: string, role: RedisRole, log: Log): Promise<Redis> {
  const redis = createRedis(url, {
    lazyConnect: true,
    retryStrategy: reconnectDelay,
    sentinelRetryStrategy: reconnectDelay,
    // The address can lead to the new master by now.
    reconnectOnError: isReadOnlyError,
    maxRetriesPerRequest: role === 'worker' ? null : 1,
    enableOfflineQueue: role === 'worker',
    ...(role === 'request' ? { commandTimeout: replyTimeout, socketTimeout: replyTimeout } : {}),
  });
  logLosses(redis, log);
  // With sentinels, `connect` goes on trying. The first error ends it, as without them.
  const failure = new Promise<never>((_, reject) => redis.once('error', reject));
  failure.catch(() => {});
  try {
    await Promise.race([redis.connect(), failure]);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}

function logLosses(redis: Redis, log: Log): void {
  let lost = false;
  redis.on('error', (error: Error) => {
    if (lost) return;
    lost = true;
    log.warn('Redis is unreachable', errorFields(error));
  });
  redis.on('ready', () => {
    if (lost) log.info('Redis is reachable again');
    lost = false;
  });
}

/**
 * Logs the errors of a queue, a worker or a listener, except lost connections. These are reported
 * at every attempt to reconnect, and `openRedis` logs a loss once.
 * @param isLogged logs an error in another way, and returns whether it has.
 */
export function logErrorsOf(
  source: { on(event: 'error', listener: (error: Error) => void): unknown },
  message: string,
  { queue, log, isLogged }: { queue: string; log: Log; isLogged?: (error: Error) => boolean },
): void {
  source.on('error', (error) => {
    const isLost = 'syscall' in error || !isNotConnectionError(error);
    if (!isLost && !isLogged?.(error)) log.warn(message, { queue, ...errorFields(error) });
  });
}

/** Waits for `ending`, which can wait indefinitely without Redis, or for a loss. */
export async function closeOrDisconnect(redis: Redis, ending: Promise<unknown>): Promise<void> {
  ending.catch(() => {});
  if (redis.status !== 'ready') return;
  const lost = new Promise((resolve) => redis.once('close', resolve));
  try {
    await Promise.race([ending, lost]);
  } catch (error) {
    // Commands in flight fail shortly before the connection reports its loss.
    if (redis.status === 'ready') throw error;
  }
}

/** Sends QUIT if Redis is reachable, and closes the connection. */
export async function closeRedis(redis: Redis): Promise<void> {
  await closeOrDisconnect(
    redis,
    redis.quit().catch(() => {}),
  );
  redis.disconnect();
}

/** First words of the error replies of a Redis that is reachable but cannot serve commands. */
const busyReplies = new Set(['OOM', 'LOADING', 'MASTERDOWN', 'READONLY', 'MISCONF', 'BUSY', 'NOREPLICAS', 'UNBLOCKED']);

const lossErrors = new Set(['MaxRetriesPerRequestError', 'AbortError']);

/** Whether Redis is reachable and refuses a command, for example because its disk is full. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ReplyError && busyReplies.has((error as Error).message.split(' ', 1)[0] ?? '');

function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ReplyError) return isRefusal(error);
  // ioredis reports a lost connection by plain errors, system errors, or errors of its own.
  return error.constructor === Error || 'code' in error || lossErrors.has(error.name);
}

/** Runs commands for a request. @throws AppError SERVICE_UNAVAILABLE without Redis. */
export async function withRedis<T>(commands: () => Promise<T>): Promise<T> {
  try {
    return await commands();
  } catch (error) {
    if (isRedisUnavailable(error)) throw unavailable('The queue is unreachable.', 2, error);
    throw error;
  }
}
