import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { CircuitBreaker } from '../shared/circuit-breaker.ts';
import type { Config } from '../shared/config.ts';
import { AppError, unavailable } from '../shared/errors.ts';
import type { IngestSpool } from '../shared/ingest-spool.ts';
import { errorFields, type Log, withLogContext } from '../shared/log.ts';
import type { Models } from '../shared/models/index.ts';
import { isMongoUnavailable } from '../shared/mongo.ts';
import type { PriceBook } from '../shared/pricing/price-book.ts';
import { allQueues, type PayloadOf, type QueueName, type Queues, type ResultOf } from '../shared/queues/index.ts';
import { PermanentFailure, RetryableFailure } from '../shared/queues/job-failure.ts';
import type { NotebookBackend } from './notebook-backends/notebook-backend.ts';
import type { Finding } from './pii/scan-personal-data.ts';

/** What processors work with. */
export interface ProcessorDeps {
  config: Config;
  log: Log;
  models: Models;
  redis: Redis;
  queues: Queues;
  spool: IngestSpool;
  priceBook: PriceBook;
  scan: (text: string) => Finding[];
  notebookBackend: NotebookBackend;
  notebookBreaker: CircuitBreaker;
}

/** Which attempt at a job this is. */
export interface Attempt {
  number: number;
  /** Nobody has begun this job before: no earlier attempt, and no worker that died over it. */
  first: boolean;
}

/** The steps of one queue's jobs. May run twice for the same job, so every step is safe to repeat. */
export type Processor<Name extends QueueName> = (
  payload: PayloadOf<Name>,
  deps: ProcessorDeps,
  attempt: Attempt,
) => Promise<ResultOf<Name>>;

/**
 * What stands around every job: the payload is parsed with its queue's schema, log lines carry job and request id, and
 * whatever is thrown becomes a failure that says whether another attempt can help.
 */
export function runProcessor<Name extends QueueName>(name: Name, processor: Processor<Name>, deps: ProcessorDeps) {
  return async (job: Job): Promise<ResultOf<Name>> => {
    const jobId = job.id ?? '';
    return withLogContext({ job_id: jobId, queue: name }, async () => {
      const payload = parsePayload(name, job.data, deps.log);
      return withLogContext({ job_id: jobId, queue: name, request_id: payload.requestId }, async () => {
        const started = performance.now();
        try {
          const result = await processor(payload, deps, {
            number: job.attemptsMade + 1,
            first: job.attemptsStarted <= 1,
          });
          deps.log.debug('job done', { duration_ms: Math.round(performance.now() - started) });
          return result;
        } catch (error) {
          const failure = classify(error);
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

function parsePayload<Name extends QueueName>(name: Name, data: unknown, log: Log): PayloadOf<Name> {
  try {
    return allQueues[name].parse(data) as PayloadOf<Name>;
  } catch (error) {
    log.error('job with a malformed payload', errorFields(error));
    throw new PermanentFailure(
      new AppError('INTERNAL_ERROR', 'The job carries a malformed payload.', { cause: error }),
    );
  }
}

function classify(error: unknown): PermanentFailure | RetryableFailure {
  if (error instanceof PermanentFailure || error instanceof RetryableFailure) return error;
  if (error instanceof AppError) return new RetryableFailure(error, error);
  if (isMongoUnavailable(error)) return new RetryableFailure(unavailable('The database is not reachable.', 2), error);
  return new RetryableFailure(new AppError('INTERNAL_ERROR', 'The job failed unexpectedly.'), error);
}
