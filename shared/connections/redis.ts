import { isNotConnectionError } from 'bullmq';
import { Cluster, Redis, type RedisOptions, ReplyError } from 'ioredis';
import { minute, second } from '../durations.ts';
import { unavailable } from '../errors.ts';
import { errorFields, type Log } from '../process/log.ts';
import { findNodeError, nodeErrorOf } from './cluster-errors.ts';
import type { RedisClient } from './redis-client.ts';
import { isClusterUrl, readClusterUrl, readRedisUrl } from './redis-url.ts';
import { limitWait } from './wait-limit.ts';

const reconnectDelay = (attempt: number) => Math.min(attempt * 100, 2000);

/**
 * `request`: commands fail at once while Redis is unreachable, so that a request gets its response
 * with 503. `worker`: commands wait indefinitely, as BullMQ's blocking reads require.
 */
export type RedisRole = 'request' | 'worker';

/**
 * Commands of a request count against its limit. The method is replaced, because the compiler takes
 * ten seconds to compare a class derived from `Redis` with it.
 */
function limitWaitOfCommands(redis: Pick<Cluster, 'sendCommand'>): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (...args: Parameters<Cluster['sendCommand']>) => {
    const [command] = args;
    const { promise } = command;
    limitWait('redis', () => send(...args) as Promise<unknown>, {
      hasNoResponse: (error) => !(error instanceof ReplyError),
      createError: () => new Error('Redis did not respond within the limit of a request.'),
    }).catch((error: Error) => {
      // A Cluster sends some commands again that are rejected. Those of a pipeline have another
      // promise then; if that was rejected too early, the pipeline would wait indefinitely.
      if (command.promise === promise && !command.isSettled) command.reject(error);
    });
    return command.promise;
  };
}

/** Whether a write was refused because Redis is a replica. */
export const isReadOnlyError = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('READONLY');

/**
 * Reconnects after a refused write: the address can lead to the new master by now. Connections that
 * are duplicated from this one do so too.
 */
function reconnectToMaster(log: Log): (error: Error) => boolean {
  let loggedAt = -Infinity;
  return (error) => {
    if (!isReadOnlyError(error)) return false;
    if (performance.now() - loggedAt > 1 * minute) {
      log.warn('Redis is read-only, because it is a replica: reconnecting until it accepts writes');
      loggedAt = performance.now();
    }
    return true;
  };
}

type Options = Omit<RedisOptions, 'replyMapping'>;

/** A connection to the Redis of a URL: a server, the master that sentinels name, or a Cluster. */
export function createRedis(url: string, options: Options): RedisClient {
  if (isClusterUrl(url)) return createCluster(url, options);
  const target = readRedisUrl(url);
  if ('url' in target) return new Redis<'legacy'>(target.url, options);
  return new Redis<'legacy'>({ ...target.options, ...options });
}

/** A node that does not list the nodes in this time is passed over. */
const slotsRefreshTimeout = 2 * second;

/**
 * How often a client asks which master has which slots. A host that is lost closes no connection,
 * so a client that sends commands to no other host would never learn that it was replaced.
 */
const slotsRefreshInterval = 5 * second;

function createCluster(url: string, options: Options): Cluster {
  const { lazyConnect, retryStrategy, enableOfflineQueue, ...ofNode } = options;
  const { nodes, options: target } = readClusterUrl(url);
  const cluster = new Cluster<'legacy'>(nodes, {
    redisOptions: { ...target, ...ofNode },
    slotsRefreshTimeout,
    ...(lazyConnect === undefined ? {} : { lazyConnect }),
    ...(enableOfflineQueue === undefined ? {} : { enableOfflineQueue }),
    ...(retryStrategy ? { clusterRetryStrategy: (attempt) => retryStrategy(attempt) ?? null } : {}),
    // Each is followed by a tenth of a second: a request waits a second and a half for a failover.
    ...(options.maxRetriesPerRequest === null ? { maxRedirections: Number.POSITIVE_INFINITY } : {}),
    // The certificate of a node has the name that the URL or the Cluster says, not its address.
    ...(target.tls ? { dnsLookup: (address, callback) => callback(null, address) } : {}),
  });
  refreshSlots(cluster);
  return cluster;
}

/** The option of ioredis for this goes on after the client is closed, if a request is in flight. */
function refreshSlots(cluster: Cluster): void {
  let timer: NodeJS.Timeout | undefined;
  cluster.on('ready', () => {
    clearInterval(timer);
    timer = setInterval(() => cluster.refreshSlotsCache(), slotsRefreshInterval).unref();
  });
  cluster.on('close', () => clearInterval(timer));
}

/**
 * Opens a connection and waits until Redis is ready. A lost connection is logged once and
 * re-established.
 */
export async function openRedis(url: string, role: RedisRole, log: Log): Promise<RedisClient> {
  const redis = createRedis(url, {
    lazyConnect: true,
    retryStrategy: reconnectDelay,
    sentinelRetryStrategy: reconnectDelay,
    reconnectOnError: reconnectToMaster(log),
    maxRetriesPerRequest: role === 'worker' ? null : 1,
    enableOfflineQueue: role === 'worker',
    // Redis counts as unreachable if it does not respond. The blocking reads of workers have no
    // limit, because they wait for jobs.
    ...(role === 'request' ? { commandTimeout: 5 * second } : {}),
  });
  if (role === 'request') limitWaitOfCommands(redis);
  logLosses(redis, log);
  // With sentinels and with a Cluster, `connect` goes on trying. The first error ends it, as
  // without them.
  const failure = new Promise<never>((_, reject) => redis.once('error', reject));
  failure.catch(() => {});
  try {
    await Promise.race([redis.connect(), failure]);
  } catch (error) {
    redis.disconnect();
    const reason = nodeErrorOf(error as Error);
    const isHidden = isClusterUrl(url) && reason.message === 'Connection is closed.';
    throw (isHidden && (await findNodeError(url))) || reason;
  }
  return redis;
}

function logLosses(redis: RedisClient, log: Log): void {
  let lost = false;
  redis.on('error', (error: Error) => {
    if (lost) return;
    lost = true;
    log.warn('Redis is unreachable', errorFields(nodeErrorOf(error)));
  });
  redis.on('ready', () => {
    if (lost) log.info('Redis is reachable again');
    lost = false;
  });
  if (!(redis instanceof Cluster)) return;
  let loggedAt = -Infinity;
  redis.on('node error', (error: Error, node: string) => {
    if (lost || performance.now() - loggedAt < 1 * minute) return;
    log.warn('a node of Redis Cluster is unreachable', { node, ...errorFields(error) });
    loggedAt = performance.now();
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

/**
 * Waits for `ending`, or until the connection is lost, because without Redis `ending` can wait
 * indefinitely.
 */
export async function closeOrDisconnect(redis: RedisClient, ending: Promise<unknown>): Promise<void> {
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
export async function closeRedis(redis: RedisClient): Promise<void> {
  await closeOrDisconnect(
    redis,
    redis.quit().catch(() => {}),
  );
  redis.disconnect();
}

/** First words of the error replies of a Redis that is reachable but cannot serve commands. */
const busyReplies = new Set([
  'OOM',
  'LOADING',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'READONLY',
  'MISCONF',
  'BUSY',
  'NOREPLICAS',
  'UNBLOCKED',
]);

const lossErrors = new Set(['MaxRetriesPerRequestError', 'AbortError', 'ClusterAllFailedError']);

/** Whether Redis is reachable and refuses a command, for example because its disk is full. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ReplyError && busyReplies.has((error as Error).message.split(' ', 1)[0] ?? '');

function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ReplyError) return isRefusal(error);
  // ioredis reports a lost connection by plain errors, system errors, or errors of its own.
  return error.constructor === Error || 'code' in error || lossErrors.has(error.name);
}

/**
 * Runs Redis commands for a request. @throws AppError SERVICE_UNAVAILABLE if Redis is unreachable.
 */
export async function withRedis<T>(commands: () => Promise<T>): Promise<T> {
  try {
    return await commands();
  } catch (error) {
    if (isRedisUnavailable(error)) throw unavailable('The queue is unreachable.', 2, error);
    throw error;
  }
}
