import type { Job } from 'bullmq';
import { isMongoUnavailable } from '../shared/connections/mongo.ts';
import { AppError, unavailable } from '../shared/errors.ts';
import type { JobPayload, QueueDefinition } from '../shared/queues/define-queue.ts';
import { PermanentFailure, RetryableFailure } from '../shared/queues/job-failure.ts';
import { errorFields, type Log, withLogContext } from '../shared/runtime/log.ts';
import type { Processor } from './define-processor.ts';

/**
 * Creates a function that processes a job. The function validates the payload by the schema of the queue, adds the ids
 * of the job and the request to log lines, and converts errors into permanent or retryable failures.
 */
export function runProcessor<Name extends string, Payload extends JobPayload, Result, Deps extends { log: Log }>(
  { queue, run }: Processor<Name, Payload, Result, Deps>,
  deps: Deps,
) {
  return async (job: Job): Promise<Result> => {
    const jobId = job.id ?? '';
    return withLogContext({ job_id: jobId, queue: queue.name }, async () => {
      const payload = parsePayload(queue, job.data, deps.log);
      return withLogContext({ job_id: jobId, queue: queue.name, request_id: payload.requestId }, async () => {
        const started = performance.now();
        try {
          const result = await run(payload, deps, {
            number: job.attemptsMade + 1,
            first: job.attemptsStarted <= 1,
          });
          deps.log.debug('job completed', { duration_ms: Math.round(performance.now() - started) });
          return result;
        } catch (error) {
          const failure = classifyError(error);
          deps.log.log(failure instanceof PermanentFailure ? 'error' : 'warn', 'job failed', {
            attempt: job.attemptsMade + 1,
            ...errorFields(error),
          });
          throw failure;
        }
      });
    });
  };
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

function classifyError(error: unknown): PermanentFailure | RetryableFailure {
  if (error instanceof PermanentFailure || error instanceof RetryableFailure) return error;
  if (error instanceof AppError) return new RetryableFailure(error, error);
  if (isMongoUnavailable(error)) return new RetryableFailure(unavailable('The database is unreachable.', 2), error);
  return new RetryableFailure(new AppError('INTERNAL_ERROR', 'The job failed unexpectedly.'), error);
}
