import type { JobPayload, QueueDefinition } from './define-queue.ts';

type AnyQueue = QueueDefinition<string, JobPayload, unknown>;
type Registry = Readonly<Record<string, AnyQueue>>;

type QueuesByName<Queues extends Registry> = {
  readonly [Key in keyof Queues as Queues[Key]['name']]: Queues[Key];
};

/** The names that several definitions share. */
type SharedName<Queues extends Registry> = {
  [Key in keyof Queues]: Extract<Queues[Key]['name'], Queues[Exclude<keyof Queues, Key>]['name']>;
}[keyof Queues];

/**
 * `unknown` if names are unique; otherwise a sentence that the compiler shows as the missing type.
 */
type UniqueNames<Queues extends Registry> = [SharedName<Queues>] extends [never]
  ? unknown
  : `two definitions name their queue ${SharedName<Queues>}`;

/**
 * Indexes the definitions of a registry by the names of their queues. Two definitions with the same
 * name do not compile.
 * @throws TypeError if two definitions have the same name.
 */
export function queuesByName<Queues extends Registry>(registry: Queues & UniqueNames<Queues>): QueuesByName<Queues> {
  const byName = new Map<string, AnyQueue>();
  for (const definition of Object.values<AnyQueue>(registry)) {
    if (byName.has(definition.name)) throw new TypeError(`Two definitions name their queue ${definition.name}.`);
    byName.set(definition.name, definition);
  }
  return Object.fromEntries(byName) as QueuesByName<Queues>;
}
