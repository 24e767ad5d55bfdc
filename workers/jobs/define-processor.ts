import type { Queues } from '../../shared/all-queues.ts';
import { minute } from '../../shared/durations.ts';
import type { Models } from '../../shared/models.ts';
import type { JobPayload, QueueDefinition } from '../../shared/queues/define-queue.ts';

/** One attempt at a job. */
export interface Attempt {
  /** Counted from 1. */
  number: number;
  /** True if no worker, including workers that died, has started the job before. */
  first: boolean;
  /** Whether a failure of this attempt ends the job. */
  last: boolean;
  /**
   * Called after each part of a long job: a queue with jobs and no progress is reported as stalled.
   */
  reportProgress: () => void;
  /**
   * Lets a waiting request continue with the result while the rest of the job is done. Only for
   * results that hold even if the worker dies at once and another one repeats the job.
   */
  announceResult: (result: object) => void;
}

/** Processes the jobs of a queue. `Deps` are the dependencies that the worker provides. */
export interface Processor<Name extends string, Payload extends JobPayload, Result, Deps, TaskDeps = Deps> {
  readonly queue: QueueDefinition<Name, Payload, Result>;
  /**
   * Processes a job. It can run more than once for the same job, so every step must be safe to
   * repeat.
   */
  readonly run: (payload: Payload, deps: Deps, attempt: Attempt) => Promise<Result>;
  /**
   * Starts a background task, which runs as long as the queue's worker. @returns a function that
   * ends the task.
   */
  readonly startTask?: (deps: TaskDeps) => () => void;
  /**
   * Adds the jobs that are missing: the process that should have added one has ended, or Redis has
   * lost it. Every worker runs it at its start and once a minute, also concurrently, and also
   * without serving the queue.
   */
  readonly sweep?: (deps: SweepDeps) => Promise<void>;
}

/** Dependencies of a sweep. */
export interface SweepDeps {
  models: Models;
  queues: Queues;
}

/**
 * Defines a processor. The types of its parameters, `Pick<WorkerDeps, …>`, name its dependencies.
 * The registry checks that the worker provides these.
 */
export function defineProcessor<Name extends string, Payload extends JobPayload, Result, Deps, TaskDeps = unknown>(
  queue: QueueDefinition<Name, Payload, Result>,
  run: (payload: NoInfer<Payload>, deps: Deps, attempt: Attempt) => Promise<NoInfer<Result>>,
  options: Pick<Processor<Name, Payload, Result, Deps, TaskDeps>, 'startTask' | 'sweep'> = {},
): Processor<Name, Payload, Result, Deps, TaskDeps> {
  return { queue, run, ...options };
}

/** Limits a sweep to what one query reads; the next sweep continues. */
export const maxPerSweep = 1_000;

/** Selects what is older than adding its job takes, so that a sweep finds only what was lost. */
export const isLate = () => ({ $lt: new Date(Date.now() - minute) });
