import type { JobPayload, QueueDefinition } from '../shared/queues/define-queue.ts';

/** Which attempt at a job this is. */
export interface Attempt {
  number: number;
  /** The job has never been started before: by no earlier attempt, and by no worker that died. */
  first: boolean;
}

/** What a worker does for one queue; `Deps` is what it needs of the worker. */
export interface Processor<Name extends string, Payload extends JobPayload, Result, Deps, TaskDeps = Deps> {
  readonly queue: QueueDefinition<Name, Payload, Result>;
  /** The steps of a job, in order. May run twice for the same job, so every step is safe to repeat. */
  readonly run: (payload: Payload, deps: Deps, attempt: Attempt) => Promise<Result>;
  /** Starts what runs beside the queue's worker for as long as that runs, and returns the function that ends it. */
  readonly startTask?: (deps: TaskDeps) => () => void;
}

/** A processor names what it needs by the types of its parameters, as `Pick<WorkerDeps, …>`; the registry checks it. */
export function defineProcessor<Name extends string, Payload extends JobPayload, Result, Deps, TaskDeps = unknown>(
  queue: QueueDefinition<Name, Payload, Result>,
  run: (payload: NoInfer<Payload>, deps: Deps, attempt: Attempt) => Promise<NoInfer<Result>>,
  options: { startTask?: (deps: TaskDeps) => () => void } = {},
): Processor<Name, Payload, Result, Deps, TaskDeps> {
  return { queue, run, ...options };
}
