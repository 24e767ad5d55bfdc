import type { Job } from 'bullmq';
import { isMongoUnavailable } from '../../shared/connections/mongo.ts';
import { second } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import type { AttemptOutcome } from '../../shared/process/metrics.ts';
import type { JobPayload, QueueDefinition } from '../../shared/queues/define-queue.ts';
import { PermanentFailure, RetryableFailure } from '../../shared/queues/job-failure.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { Processor } from './define-processor.ts';

type JobFailure = PermanentFailure | RetryableFailure;

interface JobHooks {
  onProgress: () => void;
  announceResult: (job: Job, result: object) => void;
}

/**
 * Creates a function that processes a job. The function validates the payload by the schema of the
 * queue, adds the ids of the job and the request to log lines, and converts errors into permanent
 * or retryable failures. Every attempt is counted, and is a line of the job's own log, which the
 * dashboard shows.
 * @param hooks.onProgress is called when a job ends without a retry, and after parts of long jobs.
 * @param hooks.announceResult is called with a result for waiting requests, before its job ends.
 */
export function runProcessor<Name extends string, Payload extends JobPayload, Result>(
  { queue, run }: Processor<Name, Payload, Result>,
  deps: WorkerDeps,
  { onProgress = () => {}, announceResult = () => {} }: Partial<JobHooks> = {},
) {
  return async (job: Job): Promise<Result> => {
    const ids = { job_id: job.id ?? '', queue: queue.name };
    const started = performance.now();
    const end = (log: Log, outcome: AttemptOutcome, requestId: string | undefined, failure?: JobFailure) => {
      const durationMs = Math.round(performance.now() - started);
      deps.metrics.jobAttempts.inc({ queue: queue.name, outcome });
      deps.metrics.jobDuration.observe({ queue: queue.name }, durationMs / second);
      const line = describeAttempt(job, { outcome, requestId, durationMs, failure });
      // The job itself shows the same, which saves a command of most jobs.
      if (outcome === 'completed' && job.attemptsStarted === 1) return durationMs;
      // Not awaited: the connection sends it before the end of the job.
      job.log(line).catch((error: unknown) => log.warn('attempt not logged', errorFields(error)));
      return durationMs;
    };
    let payload: Payload;
    try {
      payload = parsePayload(queue, job.data, deps.log.child(ids));
    } catch (error) {
      end(deps.log.child(ids), 'failed', undefined, error as PermanentFailure);
      throw error;
    }
    const { requestId } = payload;
    const log = deps.log.child({ ...ids, request_id: requestId });
    try {
      const result = await run(
        payload,
        { ...deps, log },
        {
          number: job.attemptsMade + 1,
          first: job.attemptsStarted <= 1,
          last: job.attemptsMade + 1 >= (job.opts.attempts ?? 1),
          reportProgress: onProgress,
          announceResult: (result) => announceResult(job, result),
        },
      );
      onProgress();
      const durationMs = end(log, 'completed', requestId);
      // Winston formats a line before it drops it.
      if (log.isDebugEnabled()) log.debug('job completed', { duration_ms: durationMs });
      return result;
    } catch (error) {
      const failure = classifyError(error);
      const isLast = failure instanceof PermanentFailure || job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
      if (!isLast) failure.pauseMs = queue.backoff(job.attemptsMade + 1, failure);
      end(log, isLast ? 'failed' : 'retried', requestId, failure);
      if (isLast) onProgress();
      log.log(isLast ? 'error' : 'warn', 'job failed', { attempt: job.attemptsMade + 1, ...errorFields(error) });
      throw failure;
    }
  };
}

/** Jobs with more attempts end at a deadline, or never. */
const maxShownAttempts = 100;

/**
 * One line for the log of a job:
 * `attempt 1 of 8 failed after 29 ms, next in 0.2 s, request …: UPSTREAM_ERROR: …`.
 */
function describeAttempt(
  job: Job,
  attempt: {
    outcome: AttemptOutcome;
    requestId: string | undefined;
    durationMs: number;
    failure: JobFailure | undefined;
  },
): string {
  const { outcome, requestId = 'unknown', durationMs, failure } = attempt;
  const number = job.attemptsStarted;
  // Attempts that ended with their worker do not count.
  const limit = (job.opts.attempts ?? 1) + number - job.attemptsMade - 1;
  const total = number <= limit && limit <= maxShownAttempts ? ` of ${limit}` : '';
  const end = `${outcome === 'completed' ? 'completed' : 'failed'} after ${durationMs} ms`;
  const pauseMs = failure instanceof RetryableFailure ? failure.pauseMs : undefined;
  const next = pauseMs === undefined ? 'not retried' : `next in ${Number((pauseMs / second).toFixed(1))} s`;
  const parts = [`attempt ${number}${total} ${end}`, ...(failure ? [next] : []), `request ${requestId}`];
  return `${parts.join(', ')}${failure ? `: ${failure.message.split('\n', 1)[0]}` : ''}`;
}

function parsePayload<Payload extends JobPayload>(
  queue: QueueDefinition<string, Payload, unknown>,
  data: unknown,
  log: Log,
): Payload {
  try {
    return queue.parse(data);
  } catch (error) {
    log.error('job has a malformed payload', errorFields(error));
    throw new PermanentFailure(new AppError('INTERNAL_ERROR', 'The job has a malformed payload.', { cause: error }));
  }
}

function classifyError(error: unknown): JobFailure {
  if (error instanceof PermanentFailure || error instanceof RetryableFailure) return error;
  return new RetryableFailure(appErrorOf(error), error);
}

/** The error of an attempt, in words for a caller. */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof PermanentFailure) return error.failure;
  if (isMongoUnavailable(error)) return unavailable('The database is unreachable.', 2);
  return new AppError('INTERNAL_ERROR', 'The job failed unexpectedly.');
}
