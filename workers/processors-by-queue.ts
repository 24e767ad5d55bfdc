import type { JobPayload, QueueDefinition } from '../shared/queues/define-queue.ts';
import { allQueues, type PayloadOf, type QueueName, type ResultOf } from '../shared/queues/index.ts';
import type { Attempt, Processor } from './define-processor.ts';
import type { WorkerDeps } from './worker-deps.ts';

/** A processor of any queue that needs no more than the worker provides. */
interface AnyProcessor {
  readonly queue: QueueDefinition<string, JobPayload, unknown>;
  readonly run: (payload: never, deps: WorkerDeps, attempt: Attempt) => Promise<unknown>;
  readonly startTask?: (deps: WorkerDeps) => () => void;
}

type Registry = Readonly<Record<string, AnyProcessor>>;

/** The names of the queues that these processors serve. */
type Served<
  Processors extends Registry,
  Key extends keyof Processors = keyof Processors,
> = Processors[Key]['queue']['name'];

type ServedTwice<Processors extends Registry> = {
  [Key in keyof Processors]: Extract<Served<Processors, Key>, Served<Processors, Exclude<keyof Processors, Key>>>;
}[keyof Processors];

/** What is wrong with a registry, as sentences. */
type Fault<Processors extends Registry> =
  | `queue ${Exclude<QueueName, Served<Processors>>} has no processor`
  | `queue ${ServedTwice<Processors>} has two processors`
  | `queue ${Exclude<Served<Processors>, QueueName>} is missing from shared/queues/registry.ts`;

/** Nothing where the registry is complete; otherwise its faults, which the compiler shows as the type that is missing. */
type OnePerQueue<Processors extends Registry> = [Fault<Processors>] extends [never] ? unknown : Fault<Processors>;

export type ProcessorsByQueue = {
  readonly [Name in QueueName]: Processor<Name, PayloadOf<Name>, ResultOf<Name>, WorkerDeps>;
};

/**
 * The processors of a registry by the names of their queues. A queue without a processor, or with two, does not compile.
 * @throws TypeError for the same faults.
 */
export function processorsByQueue<Processors extends Registry>(
  registry: Processors & OnePerQueue<Processors>,
): ProcessorsByQueue {
  const byQueue = new Map<string, AnyProcessor>();
  for (const processor of Object.values<AnyProcessor>(registry)) {
    const { name } = processor.queue;
    if (byQueue.has(name)) throw new TypeError(`Queue ${name} has two processors.`);
    if (!Object.hasOwn(allQueues, name))
      throw new TypeError(`Queue ${name} is missing from shared/queues/registry.ts.`);
    byQueue.set(name, processor);
  }
  for (const name of Object.keys(allQueues)) {
    if (!byQueue.has(name)) throw new TypeError(`Queue ${name} has no processor.`);
  }
  return Object.fromEntries(byQueue) as unknown as ProcessorsByQueue;
}
