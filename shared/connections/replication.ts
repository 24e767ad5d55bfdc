import type { Redis } from 'ioredis';
import { minute, second } from '../durations.ts';
import { unavailable } from '../errors.ts';

/** Confirms that replicas of Redis have what this process has written. */
export interface Replication {
  /**
   * Called before the writes.
   * @returns a function, called after them, that waits until enough replicas have them.
   * @throws AppError SERVICE_UNAVAILABLE if too few have them within two seconds, or if Redis was
   * reconnected since: it can be another server, without the writes.
   */
  begin(): () => Promise<void>;
  close(): void;
}

const waitLimit = 2 * second;

/**
 * Opens a connection of its own, because a connection that waits for replicas runs no other
 * command. Its own write follows all earlier ones, so replicas that have it have those too.
 * @param options.replicas how many have to confirm; 0 opens nothing and waits for none.
 */
export async function openReplication(options: {
  redis: Redis;
  prefix: string;
  replicas: number;
}): Promise<Replication> {
  const { redis, prefix, replicas } = options;
  if (replicas === 0) return { begin: () => async () => {}, close: () => {} };
  const connection = redis.duplicate({ lazyConnect: true });
  // The loss of a connection is logged for `redis`.
  connection.on('error', () => {});
  await connection.connect();
  let reconnects = 0;
  for (const each of [redis, connection]) each.on('ready', () => (reconnects += 1));

  const wait = async () => {
    await connection.set(`${prefix}:replication`, '', 'PX', minute);
    return connection.wait(replicas, waitLimit);
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
      const before = reconnects;
      return async () => {
        let cause: unknown;
        const confirmed = await join().catch((error: unknown) => {
          cause = error;
          return 0;
        });
        if (confirmed >= replicas && reconnects === before) return;
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
