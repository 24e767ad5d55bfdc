import { setTimeout as delay } from 'node:timers/promises';
import { type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueName } from '../../shared/all-queues.ts';
import { closeOrDisconnect, isRefusal, logErrorsOf } from '../../shared/connections/redis.ts';
import { minute, second } from '../../shared/durations.ts';
import type { QueueReport } from '../../shared/process/heartbeat.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { countJobs } from '../../shared/queues/count-jobs.ts';
import { repeatStrategy } from '../../shared/queues/define-queue.ts';
import { RetryableFailure } from '../../shared/queues/job-failure.ts';
import { announceEnd, announceResult } from '../../shared/queues/job-results.ts';
import { allProcessors, type ProcessorsByQueue } from '../all-processors.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { runProcessor } from './run-processor.ts';

export type RunningWorkers = ReturnType<typeof startWorkers>;

/**
 * Starts the BullMQ workers and the background task of every named queue. `redis` must wait for an
 * unreachable Redis indefinitely (role `worker`).
 */
export function startWorkers(names: readonly QueueName[], redis: Redis, deps: WorkerDeps) {
  const countDue = async (name: QueueName) => {
    const due = await countJobs(deps.queues, name);
    // Most batches of a deep backlog have no job.
    return name === 'ingest-entries' ? Math.max(due, deps.backlog.known().batches) : due;
  };
  const progress = createQueueProgress({ names, countJobs: countDue });
  const logRefusal = createRefusalLog(deps.log);
  const workers = names.map((name) => {
    const worker = startWorker(name, allProcessors[name], { redis, deps, progress });
    logErrorsOf(worker, 'worker error', { queue: name, log: deps.log, isLogged: logRefusal });
    return worker;
  });
  const endTasks = names.map((name) => allProcessors[name].startTask?.(deps));
  return {
    /** The progress of every queue that is served. */
    reportQueues: progress.report,
    /**
     * Stops taking jobs, and waits up to `graceMs` milliseconds for jobs in progress. Other workers
     * take over unfinished jobs.
     */
    close: async (graceMs: number): Promise<void> => {
      for (const end of endTasks) end?.();
      let timer: NodeJS.Timeout | undefined;
      const graceOver = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      // While Redis is unreachable, no job can be completed, so the wait ends early.
      const closed = Promise.all(workers.map((worker) => worker.close()));
      await Promise.race([closeOrDisconnect(redis, closed), graceOver]);
      clearTimeout(timer);
    },
  };
}

function startWorker<Name extends QueueName>(
  name: Name,
  processor: ProcessorsByQueue[Name],
  { redis, deps, progress }: { redis: Redis; deps: WorkerDeps; progress: QueueProgress },
): Worker {
  const { backoff, maxStalledCount, isAwaited } = processor.queue;
  const announced = new WeakSet<Job>();
  const run = runProcessor(processor, deps, {
    onProgress: () => progress.record(name),
    announceResult: (job, result) => {
      writeOncePerTurn(redis);
      if (announceResult(deps, name, job.id ?? '', result)) announced.add(job);
    },
  });
  const worker = new QueueWorker(name, (job) => progress.during(name, () => run(job)), {
    connection: redis,
    prefix: deps.config.redisPrefix,
    concurrency: deps.config.concurrency[name],
    // The jobs of a killed worker are taken over after at most the sum of these times.
    lockDuration: 10 * second,
    stalledInterval: 5 * second,
    maxStalledCount,
    settings: {
      // The pause is random, and that in the log of the job is the one that is made.
      backoffStrategy: (attemptsMade, _type, error) =>
        (error instanceof RetryableFailure ? error.pauseMs : undefined) ?? backoff(attemptsMade, error),
      repeatStrategy,
    },
  });
  if (isAwaited) {
    worker.on('completed', (job, result: object) => {
      if (!announced.has(job)) announceEnd(deps, name, job.id ?? '', result);
    });
    worker.on('failed', (job) => {
      // Not before the last attempt.
      if (job?.finishedOn) announceEnd(deps, name, job.id ?? '');
    });
  }
  worker.on('stalled', (jobId) =>
    deps.log.warn('job taken over from a worker that died', { queue: name, job_id: jobId }),
  );
  return worker;
}

/**
 * Sends the commands of this turn of the event loop in one write: most jobs end in the turn in
 * which their result is announced. A write costs more than all else that a command does here.
 */
function writeOncePerTurn({ stream }: Redis): void {
  stream.cork();
  setImmediate(() => stream.uncork());
}

const refusalDelay = 1 * second;

/**
 * A BullMQ worker that waits before it takes a job again after Redis has refused it. BullMQ waits
 * only for a lost connection. It also starts the first job after an idle time at once, where BullMQ
 * looks for a second one before.
 */
class QueueWorker extends Worker {
  #isIdle = false;
  #hasJustStarted = false;

  constructor(name: string, processor: Processor, options: WorkerOptions) {
    super(name, processor, options);
    this.on('drained', () => {
      this.#isIdle = true;
    });
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    // The script that takes a job sets the marker, which ends the next wait for a job at once. So
    // the second job is found after that.
    if (this.#hasJustStarted) {
      this.#hasJustStarted = false;
      return this.nextJobFromJobData();
    }
    try {
      const job = (await super.moveToActive(token, name)) as Job | undefined;
      if (job) {
        this.#hasJustStarted = this.#isIdle;
        this.#isIdle = false;
      }
      return job as Job;
    } catch (error) {
      if (isRefusal(error)) await delay(refusalDelay);
      throw error;
    }
  }
}

/**
 * Logs that Redis refuses commands once a minute, whichever workers of the process it refuses.
 * @returns a function that returns false for another error.
 */
function createRefusalLog(log: Log): (error: Error) => boolean {
  let loggedAt = -Infinity;
  return (error) => {
    if (!isRefusal(error)) return false;
    if (performance.now() - loggedAt > 1 * minute) {
      log.warn('Redis refuses commands: workers try again every second', errorFields(error));
      loggedAt = performance.now();
    }
    return true;
  };
}

type QueueProgress = ReturnType<typeof createQueueProgress>;

/**
 * Observes the progress of the queues that a worker serves.
 * @param options.countJobs counts the jobs of a queue that wait or run; delayed ones are not due.
 * @param options.now a clock in milliseconds.
 */
export function createQueueProgress(options: {
  names: readonly QueueName[];
  countJobs: (name: QueueName) => Promise<number>;
  now?: () => number;
}) {
  const { names, countJobs, now = Date.now } = options;
  const started = now();
  const initial = { lastProgress: null as number | null, lastIdle: started, running: 0, lastChange: started };
  const states = new Map(names.map((name) => [name, { ...initial }]));
  /** `lastChange` is when a job was started beside no other, ended, or made a step. */
  const stateOf = (name: QueueName) => states.get(name) ?? initial;
  const reportQueue = async (name: QueueName): Promise<QueueReport> => {
    const state = stateOf(name);
    if ((await countJobs(name)) === 0) state.lastIdle = now();
    const { lastProgress, lastIdle, running, lastChange } = state;
    return {
      name,
      lastProgress: lastProgress === null ? null : new Date(lastProgress).toISOString(),
      stalledMs: Math.max(0, now() - Math.max(lastProgress ?? started, lastIdle)),
      stuckMs: running > 0 ? Math.max(0, now() - lastChange) : 0,
    };
  };
  return {
    /** A job of the queue, or a step of a long one, has been completed. */
    record: (name: QueueName) => {
      const time = now();
      Object.assign(stateOf(name), { lastProgress: time, lastChange: time });
    },
    /** Runs a job of the queue. A job that never ends makes its worker stuck. */
    during: async <Result>(name: QueueName, job: () => Promise<Result>): Promise<Result> => {
      const state = stateOf(name);
      if (state.running === 0) state.lastChange = now();
      state.running += 1;
      try {
        return await job();
      } finally {
        state.running -= 1;
        state.lastChange = now();
      }
    },
    /**
     * The state of all queues now. A queue without jobs is not stalled, so this is called
     * regularly.
     */
    report: () => Promise.all(names.map(reportQueue)),
  };
}
