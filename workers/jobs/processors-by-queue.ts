import { allQueues, type PayloadOf, type QueueName, type ResultOf } from '../../shared/all-queues.ts';
import type { JobPayload, QueueDefinition } from '../../shared/queues/define-queue.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { Attempt, Processor, SweepDeps } from './define-processor.ts';

/** A processor of any queue whose dependencies are those of a worker. */
interface AnyProcessor {
  readonly queue: QueueDefinition<string, JobPayload, unknown>;
  readonly run: (payload: never, deps: WorkerDeps, attempt: Attempt) => Promise<unknown>;
  readonly startTask?: (deps: WorkerDeps) => () => void;
  readonly sweep?: (deps: SweepDeps) => Promise<void>;
}

type Registry = Readonly<Record<string, AnyProcessor>>;

/** The names of the queues that the processors process. */
type QueuesOf<
  Processors extends Registry,
  Key extends keyof Processors = keyof Processors,
> = Processors[Key]['queue']['name'];

type DuplicatesIn<Processors extends Registry> = {
  [Key in keyof Processors]: Extract<QueuesOf<Processors, Key>, QueuesOf<Processors, Exclude<keyof Processors, Key>>>;
}[keyof Processors];

/** The errors of a registry, in words. */
type RegistryError<Processors extends Registry> =
  | `queue ${Exclude<QueueName, QueuesOf<Processors>>} has no processor`
  | `queue ${DuplicatesIn<Processors>} has two processors`
  | `queue ${Exclude<QueuesOf<Processors>, QueueName>} is missing from shared/queues.ts`;

/**
 * `unknown` if the registry is correct. Otherwise its errors, which the compiler reports as the
 * missing type.
 */
type OnePerQueue<Processors extends Registry> = [RegistryError<Processors>] extends [never]
  ? unknown
  : RegistryError<Processors>;

export type ProcessorsByQueue = {
  readonly [Name in QueueName]: Processor<Name, PayloadOf<Name>, ResultOf<Name>, WorkerDeps>;
};

/**
 * Indexes the processors of a registry by the names of their queues. A queue without a processor,
 * or with two processors, is a compile error.
 * @throws TypeError for the same errors.
 */
export function processorsByQueue<Processors extends Registry>(
  registry: Processors & OnePerQueue<Processors>,
): ProcessorsByQueue {
  const byQueue = new Map<string, AnyProcessor>();
  for (const processor of Object.values<AnyProcessor>(registry)) {
    const { name } = processor.queue;
    if (byQueue.has(name)) throw new TypeError(`Queue ${name} has two processors.`);
    if (!Object.hasOwn(allQueues, name)) throw new TypeError(`Queue ${name} is missing from shared/queues.ts.`);
    byQueue.set(name, processor);
  }
  for (const name of Object.keys(allQueues)) {
    if (!byQueue.has(name)) throw new TypeError(`Queue ${name} has no processor.`);
  }
  return Object.fromEntries(byQueue) as unknown as ProcessorsByQueue;
}
