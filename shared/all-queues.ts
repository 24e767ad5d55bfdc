import type { Redis } from 'ioredis';
import type { Log } from './process/log.ts';
import { type JobPayload, type OpenQueue, openQueue, type QueueDefinition } from './queues/define-queue.ts';
import * as registry from './queues.ts';

type Registry = typeof registry;
type QueuesByName = { readonly [Key in keyof Registry as Registry[Key]['name']]: Registry[Key] };

/**
 * All definitions by the name of the queue. The configuration, the workers and the dashboard are
 * derived from them.
 */
export const allQueues = Object.fromEntries(
  Object.values(registry).map((definition) => [definition.name, definition]),
) as unknown as QueuesByName;

export type QueueName = keyof typeof allQueues;
export type PayloadOf<Name extends QueueName> = ReturnType<(typeof allQueues)[Name]['parse']>;
export type ResultOf<Name extends QueueName> =
  (typeof allQueues)[Name] extends QueueDefinition<Name, PayloadOf<Name>, infer Result> ? Result : never;

type OpenQueues = { readonly [Name in QueueName]: OpenQueue<PayloadOf<Name>> };
export type Queues = OpenQueues & { close(): Promise<void> };

/** Opens all queues on one connection, for adding jobs. */
export function openQueues(options: { redis: Redis; prefix: string; log: Log }): Queues {
  const definitions = Object.values<QueueDefinition<string, JobPayload, unknown>>(allQueues);
  const opened = definitions.map((definition) => [definition.name, openQueue(definition, options)] as const);
  return {
    ...(Object.fromEntries(opened) as unknown as OpenQueues),
    close: async () => {
      await Promise.all(opened.map(([, { queue }]) => queue.close()));
    },
  };
}
