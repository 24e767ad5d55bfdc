import { minute } from '../../shared/durations.ts';
import type { JobPayload, QueueDefinition } from '../../shared/queues/define-queue.ts';
import type { WorkerDeps } from '../worker-deps.ts';

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

/** Processes the jobs of a queue. */
export interface Processor<Name extends string, Payload extends JobPayload, Result> {
  readonly queue: QueueDefinition<Name, Payload, Result>;
  /**
   * Processes a job. It can run more than once for the same job, so every step must be safe to
   * repeat.
   */
  readonly run: (payload: Payload, deps: WorkerDeps, attempt: Attempt) => Promise<Result>;
  /**
   * Starts a background task, which runs as long as the queue's worker. @returns a function that
   * ends the task.
   */
  readonly startTask?: (deps: WorkerDeps) => () => void;
  /**
   * Adds the jobs that are missing: the process that should have added one has ended, or Redis has
   * lost it. Every worker runs it at its start and once a minute, also concurrently, and also
   * without serving the queue.
   */
  readonly sweep?: (deps: SweepDeps) => Promise<void>;
}

export type SweepDeps = Pick<WorkerDeps, 'models' | 'queues'>;

export function defineProcessor<Name extends string, Payload extends JobPayload, Result>(
  queue: QueueDefinition<Name, Payload, Result>,
  run: Processor<Name, NoInfer<Payload>, NoInfer<Result>>['run'],
  options: Pick<Processor<Name, Payload, Result>, 'startTask' | 'sweep'> = {},
): Processor<Name, Payload, Result> {
  return { queue, run, ...options };
}

/** Limits a sweep to what one query reads; the next sweep continues. */
export const maxPerSweep = 1_000;

/** Selects what is older than adding its job takes, so that a sweep finds only what was lost. */
export const isLate = () => ({ $lt: new Date(Date.now() - minute) });
