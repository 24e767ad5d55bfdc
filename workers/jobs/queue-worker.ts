import { setTimeout as delay } from 'node:timers/promises';
import {
  type BackendFactory,
  createRedisBackend,
  type Job,
  type Processor,
  QueueKeys,
  RedisConnection,
  RedisQueueBackend,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { Cluster } from 'ioredis';
import { connectToMaster } from '../../shared/connections/master-connection.ts';
import { isRefusal } from '../../shared/connections/redis.ts';
import { minute, second } from '../../shared/durations.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';

const refusalDelay = 1 * second;

/**
 * A BullMQ worker that waits before it takes a job again after Redis has refused it. BullMQ waits
 * only for a lost connection. With a Cluster, it waits for jobs over a connection to the master of
 * its queue.
 */
export class QueueWorker extends Worker {
  constructor(name: string, processor: Processor, options: WorkerOptions) {
    super(name, processor, options, createBackend);
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      if (isRefusal(error)) await delay(refusalDelay);
      throw error;
    }
  }
}

/**
 * Logs that Redis refuses commands once a minute, whichever workers of the process it refuses.
 * @returns a function that returns false for another error.
 */
export function createRefusalLog(log: Log): (error: Error) => boolean {
  let loggedAt = -Infinity;
  return (error) => {
    if (!isRefusal(error)) return false;
    if (performance.now() - loggedAt > 1 * minute) {
      log.warn('Redis refuses commands: workers try again every second', errorFields(error));
      loggedAt = performance.now();
    }
    return true;
  };
}

/** As BullMQ's, except for the blocking connection with a Cluster. */
const createBackend: BackendFactory<RedisQueueBackend> = (name, options, roles) => {
  const { connection: redis, prefix } = options as WorkerOptions;
  if (!(redis instanceof Cluster)) return createRedisBackend(name, options, roles);
  const queueKeys = new QueueKeys(prefix);
  const keys = queueKeys.getKeys(name);
  // BullMQ finds workers by this name.
  const connectionName = `${prefix}:${Buffer.from(name).toString('base64')}`;
  return new RedisQueueBackend(
    new RedisConnection(redis, { shared: true, blocking: false }),
    name,
    keys,
    (type) => queueKeys.toKey(name, type),
    options,
    new RedisConnection(connectToMaster(redis, keys['marker'] ?? '', { connectionName }), { blocking: true }),
  );
};
