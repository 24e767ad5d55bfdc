import type { Redis } from 'ioredis';
import { second } from '../durations.ts';

// Messages to all processes, by publish and subscribe. One can be lost, so its
// receivers must also poll.

/** Announces a message. It neither waits nor fails. */
export function announce(redis: Redis, channel: string, message: string | Buffer): void {
  // The connection of a worker buffers commands until Redis is reachable again, when the
  // announcement is of no use.
  if (redis.status === 'ready') redis.publish(channel, message).catch(() => {});
}

/** After a refusal; a lost connection is re-established by the client. */
const refusedPause = 5 * second;

export interface Subscription {
  /**
   * Messages from then on arrive, unless the connection is lost, or Redis has refused: it is asked
   * again every few seconds.
   */
  readonly ready: Promise<void>;
  /** Closes the connection. */
  end(): void;
}

/** Calls `onMessage` with each message of a channel, over a connection of its own. */
export function subscribe(redis: Redis, channel: string, onMessage: (message: Buffer) => void): Subscription {
  const subscriber = redis.duplicate({ autoResubscribe: false, lazyConnect: false });
  // The other connections of the process report that Redis is unreachable.
  subscriber.on('error', () => {});
  let retry: NodeJS.Timeout | undefined;
  const ready = new Promise<void>((resolve) => {
    const ask = async () => {
      clearTimeout(retry);
      try {
        await subscriber.subscribe(channel);
      } catch {
        if (subscriber.status === 'ready') retry = setTimeout(() => void ask(), refusedPause).unref();
      }
      resolve();
    };
    subscriber.on('ready', () => void ask());
  });
  subscriber.on('messageBuffer', (_channel, message: Buffer) => onMessage(message));
  return {
    ready,
    end: () => {
      clearTimeout(retry);
      subscriber.disconnect();
    },
  };
}
