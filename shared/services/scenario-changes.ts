import type { Redis } from 'ioredis';

/**
 * Announcements of changed scenarios to all processes, by publish and subscribe. One can be lost: what depends on them must
 * also look by itself.
 */
interface AnnouncementDeps {
  redis: Redis;
  config: { readonly redisPrefix: string };
}

const separator = ',';

/** Announces that usage or fields of these scenarios have changed. It neither waits nor fails. */
export function announceChanges({ redis, config }: AnnouncementDeps, scenarioIds: readonly string[]): void {
  // The connection of a worker keeps commands until Redis is reachable again, when the announcement is of no use.
  if (scenarioIds.length === 0 || redis.status !== 'ready') return;
  redis.publish(channelOf(config), scenarioIds.join(separator)).catch(() => {});
}

/**
 * Calls `onChange` with the id of each announced scenario, over a connection of its own.
 * @returns a function that closes the connection.
 */
export function subscribeToChanges(
  { redis, config }: AnnouncementDeps,
  onChange: (scenarioId: string) => void,
): () => void {
  const subscriber = redis.duplicate({ autoResubscribe: false, lazyConnect: false });
  // The other connections of the process report that Redis is unreachable.
  subscriber.on('error', () => {});
  subscriber.on('ready', () => {
    subscriber.subscribe(channelOf(config)).catch(() => {});
  });
  subscriber.on('message', (_channel, message) => {
    for (const id of message.split(separator)) onChange(id);
  });
  return () => subscriber.disconnect();
}

const channelOf = ({ redisPrefix }: AnnouncementDeps['config']) => `${redisPrefix}:scenario-changes`;
