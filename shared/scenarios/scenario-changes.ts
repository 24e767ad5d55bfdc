import type { Redis } from 'ioredis';
import { announce, type Subscription, subscribe } from '../connections/announcements.ts';

/**
 * Announcements of changed scenarios to all processes. One can be lost, so receivers must also
 * poll.
 */
interface AnnouncementDeps {
  redis: Redis;
  config: { readonly redisPrefix: string };
}

const separator = ',';

/** Announces that usage or fields of these scenarios have changed. It neither waits nor fails. */
export function announceChanges({ redis, config }: AnnouncementDeps, scenarioIds: readonly string[]): void {
  if (scenarioIds.length > 0) announce(redis, channelOf(config), scenarioIds.join(separator));
}

/** Calls `onChange` with the id of each announced scenario, over a connection of its own. */
export function subscribeToChanges(
  { redis, config }: AnnouncementDeps,
  onChange: (scenarioId: string) => void,
): Subscription {
  return subscribe(redis, channelOf(config), (message) => {
    for (const id of message.toString().split(separator)) onChange(id);
  });
}

const channelOf = ({ redisPrefix }: AnnouncementDeps['config']) => `${redisPrefix}:scenario-changes`;
