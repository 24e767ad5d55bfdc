import type { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import { type OpenQueue, openQueue, type QueueDefinition } from './define-queue.ts';
import { deleteScenarioQueue } from './delete-scenario.queue.ts';
import { ingestEntriesQueue } from './ingest-entries.queue.ts';
import { notebookCallsQueue } from './notebook-calls.queue.ts';
import { rollUpUsageQueue } from './roll-up-usage.queue.ts';

/** Every queue there is. The workers, the dashboard and the tests walk this list. */
export const allQueues = {
  'ingest-entries': ingestEntriesQueue,
  'roll-up-usage': rollUpUsageQueue,
  'delete-scenario': deleteScenarioQueue,
  'notebook-calls': notebookCallsQueue,
} as const;

export type QueueName = keyof typeof allQueues;
export type PayloadOf<Name extends QueueName> = ReturnType<(typeof allQueues)[Name]['parse']>;
export type ResultOf<Name extends QueueName> =
  (typeof allQueues)[Name] extends QueueDefinition<Name, PayloadOf<Name>, infer Result> ? Result : never;

export type Queues = { readonly [Name in QueueName]: OpenQueue<PayloadOf<Name>> } & { close(): Promise<void> };

/** Opens all queues for adding jobs, on one connection. */
export function openQueues(options: { redis: Redis; prefix: string; log: Log }): Queues {
  const queues = {
    'ingest-entries': openQueue(ingestEntriesQueue, options),
    'roll-up-usage': openQueue(rollUpUsageQueue, options),
    'delete-scenario': openQueue(deleteScenarioQueue, options),
    'notebook-calls': openQueue(notebookCallsQueue, options),
  };
  return {
    ...queues,
    close: async () => {
      await Promise.all(Object.values(queues).map(({ queue }) => queue.close()));
    },
  };
}
