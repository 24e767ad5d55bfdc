import type { JobPayload, QueueDefinition } from '../shared/queues/define-queue.ts';

/** The attempt at a job. */
export interface Attempt {
  /** From 1. */
  number: number;
  /** No worker has started the job before, not even one that died. */
  first: boolean;
}

/** Processes the jobs of a queue. `Deps` are the dependencies that it needs from the worker. */
export interface Processor<Name extends string, Payload extends JobPayload, Result, Deps, TaskDeps = Deps> {
  readonly queue: QueueDefinition<Name, Payload, Result>;
  /** Processes a job. It may run twice for the same job, so every step must be safe to repeat. */
  readonly run: (payload: Payload, deps: Deps, attempt: Attempt) => Promise<Result>;
  /** Starts a background task for as long as the queue's worker runs. @returns a function that ends it. */
  readonly startTask?: (deps: TaskDeps) => () => void;
}

/**
 * Defines a processor. The types of its parameters, `Pick<WorkerDeps, …>`, name its dependencies; the registry checks
 * them.
 */
export function defineProcessor<Name extends string, Payload extends JobPayload, Result, Deps, TaskDeps = unknown>(
  queue: QueueDefinition<Name, Payload, Result>,
  run: (payload: NoInfer<Payload>, deps: Deps, attempt: Attempt) => Promise<NoInfer<Result>>,
  options: { startTask?: (deps: TaskDeps) => () => void } = {},
): Processor<Name, Payload, Result, Deps, TaskDeps> {
  return { queue, run, ...options };
}
