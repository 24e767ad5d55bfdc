import type { RedisClient } from './connections/redis-client.ts';
import type { Log } from './process/log.ts';
import { type JobPayload, type OpenQueue, openQueue, type QueueDefinition } from './queues/define-queue.ts';
import { queuesByName } from './queues/queues-by-name.ts';
import { oneStripe, type Stripes } from './queues/stripes.ts';
import * as registry from './queues.ts';

/**
 * All definitions by the name of the queue. The configuration, the workers and the dashboard are
 * derived from them.
 */
export const allQueues = queuesByName(registry);

export type QueueName = keyof typeof allQueues;
export type PayloadOf<Name extends QueueName> = ReturnType<(typeof allQueues)[Name]['parse']>;
export type ResultOf<Name extends QueueName> =
  (typeof allQueues)[Name] extends QueueDefinition<Name, PayloadOf<Name>, infer Result> ? Result : never;

type OpenQueues = { readonly [Name in QueueName]: OpenQueue<PayloadOf<Name>> };
export type Queues = OpenQueues & { close(): Promise<void> };

/**
 * Opens all queues on one connection, for adding jobs.
 * @param options.stripes those of the queue for log entries.
 */
export function openQueues(options: { redis: RedisClient; prefix: string; log: Log; stripes?: Stripes }): Queues {
  const { stripes: ingestStripes = oneStripe, ...common } = options;
  const definitions = Object.values<QueueDefinition<string, JobPayload, unknown>>(allQueues);
  const stripesOf = (name: string) => (name === registry.ingestEntriesQueue.name ? ingestStripes : oneStripe);
  const opened = definitions.map(
    (definition) =>
      [definition.name, openQueue(definition, { ...common, stripes: stripesOf(definition.name) })] as const,
  );
  return {
    ...(Object.fromEntries(opened) as OpenQueues),
    close: async () => {
      await Promise.all(opened.flatMap(([, { stripes }]) => stripes.map((stripe) => stripe.close())));
    },
  };
}
