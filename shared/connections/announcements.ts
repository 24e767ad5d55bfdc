import type { Redis } from 'ioredis';

// Messages to all processes, by publish and subscribe. One can be lost: what depends on it must also look by itself.

/** Announces a message. It neither waits nor fails. */
export function announce(redis: Redis, channel: string, message: string | Buffer): void {
  // The connection of a worker keeps commands until Redis is reachable again, when the announcement is of no use.
  if (redis.status === 'ready') redis.publish(channel, message).catch(() => {});
}

export interface Subscription {
  /** Messages from then on arrive, unless the connection is lost. */
  readonly ready: Promise<void>;
  /** Closes the connection. */
  end(): void;
}

/** Calls `onMessage` with each message of a channel, over a connection of its own. */
export function subscribe(redis: Redis, channel: string, onMessage: (message: Buffer) => void): Subscription {
  const subscriber = redis.duplicate({ autoResubscribe: false, lazyConnect: false });
  // The other connections of the process report that Redis is unreachable.
  subscriber.on('error', () => {});
  const ready = new Promise<void>((resolve) => {
    subscriber.on('ready', () => {
      subscriber.subscribe(channel).then(
        () => resolve(),
        () => {},
      );
    });
  });
  subscriber.on('messageBuffer', (_channel, message: Buffer) => onMessage(message));
  return { ready, end: () => subscriber.disconnect() };
}
