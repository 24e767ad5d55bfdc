import { Cluster } from 'ioredis';
import { minute, second } from '../durations.ts';
import { unavailable } from '../errors.ts';
import { type Stripes, stripeOf } from '../queues/stripes.ts';
import { type RedisClient, trackServer } from './redis-client.ts';

/** Confirms that replicas of Redis have what this process has written. */
export interface Replication {
  /**
   * Called before the writes.
   * @returns a function, called after them with the ids of the batches, that waits until enough
   * replicas have them.
   * @throws AppError SERVICE_UNAVAILABLE if too few have them within two seconds, or if Redis was
   * reconnected since: it can be another server, without the writes.
   */
  begin(): (batchIds: readonly string[]) => Promise<void>;
  close(): void;
}

const waitLimit = 2 * second;

/**
 * @param options.stripes those of the queue that gets the batches.
 * @param options.replicas how many have to confirm; 0 opens nothing and waits for none.
 */
export async function openReplication(options: {
  redis: RedisClient;
  keyOf: (stripe: number) => string;
  stripes: Stripes;
  replicas: number;
}): Promise<Replication> {
  const { redis, keyOf, stripes, replicas } = options;
  if (replicas === 0) return { begin: () => async () => {}, close: () => {} };
  const masters = await Promise.all(
    Array.from({ length: stripes.used }, (_, stripe) => openMaster(redis, keyOf(stripe), replicas)),
  );
  return {
    begin: () => {
      const confirm = masters.map((master) => master.begin());
      return async (batchIds) => {
        const written = new Set(batchIds.map((id) => stripeOf(id, stripes)));
        await Promise.all([...written].map(async (stripe) => confirm[stripe]?.()));
      };
    },
    close: () => masters.forEach((master) => master.close()),
  };
}

/**
 * Opens a connection of its own, because a connection that waits for replicas runs no other
 * command. Its own write follows all earlier ones, so replicas that have it have those too.
 * @param key key of its write; in a Cluster, the master of the key gets all of the writes.
 */
async function openMaster(redis: RedisClient, key: string, replicas: number) {
  const connection =
    redis instanceof Cluster ? redis.duplicate([], { lazyConnect: true }) : redis.duplicate({ lazyConnect: true });
  // The loss of a connection is logged for `redis`.
  connection.on('error', () => {});
  await connection.connect();
  const servers = [redis, connection].map((each) => trackServer(each, key));
  const currentServers = () => servers.map((current) => current()).join();

  const wait = async () => {
    // Follows a slot to another master. WAIT has no slot, so it is sent together with a write.
    if (connection instanceof Cluster) await connection.set(key, '', 'PX', minute);
    const replies = await connection.pipeline().set(key, '', 'PX', minute).wait(replicas, waitLimit).exec();
    for (const [error] of replies ?? []) if (error) throw error;
    return Number(replies?.at(-1)?.[1] ?? 0);
  };
  let last: Promise<number> = Promise.resolve(0);
  let next: Promise<number> | undefined;
  const start = () => {
    next = undefined;
    last = wait();
    return last;
  };
  /** Concurrent callers share the wait that has not started. */
  const join = () => {
    next ??= last.then(start, start);
    return next;
  };
  return {
    begin: () => {
      const before = currentServers();
      return async () => {
        let cause: unknown;
        const confirmed = await join().catch((error: unknown) => {
          cause = error;
          return 0;
        });
        if (confirmed >= replicas && currentServers() === before) return;
        throw unavailable(
          'The entries are queued, but too few replicas of the queue have confirmed them. Repeated with their Idempotency-Key, they are not counted twice.',
          2,
          cause,
        );
      };
    },
    close: () => connection.disconnect(),
  };
}
