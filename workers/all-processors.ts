import type { PayloadOf, QueueName, ResultOf } from '../shared/all-queues.ts';
import type { JobPayload, QueueDefinition } from '../shared/queues/define-queue.ts';
import type { Attempt, Processor, SweepDeps } from './jobs/define-processor.ts';
import * as registry from './processors.ts';
import type { WorkerDeps } from './worker-deps.ts';

/** A processor of any queue whose dependencies are those of a worker. */
interface AnyProcessor {
  readonly queue: QueueDefinition<string, JobPayload, unknown>;
  readonly run: (payload: never, deps: WorkerDeps, attempt: Attempt) => Promise<unknown>;
  readonly startTask?: (deps: WorkerDeps) => () => void;
  readonly sweep?: (deps: SweepDeps) => Promise<void>;
}

const processors: Readonly<Record<string, AnyProcessor>> = registry;

type ProcessedQueue = (typeof registry)[keyof typeof registry]['queue']['name'];

export type ProcessorsByQueue = {
  readonly [Name in QueueName]: Processor<Name, PayloadOf<Name>, ResultOf<Name>, WorkerDeps>;
};

/** The processors, by the name of the queue. A queue without one does not compile. */
export const allProcessors: ProcessorsByQueue = Object.fromEntries(
  Object.values(processors).map((processor) => [processor.queue.name, processor]),
) as unknown as Pick<ProcessorsByQueue, ProcessedQueue>;
