import { type Job, UnrecoverableError } from 'bullmq';
import { AppError, type ErrorCode, type FieldError, statusOfCode, unavailable } from '../errors.ts';

/**
 * Encodes an error as the reason of a failed job, which is the only string that BullMQ keeps of the
 * error. The reason is `CODE: sentence`, so that the dashboard shows the code and the message that
 * a caller would receive. Details, or the time to wait, follow as JSON on a second line.
 */
export function encodeFailure(error: AppError): string {
  const line = `${error.code}: ${error.message.replaceAll(/\s+/g, ' ')}`;
  const { 'Retry-After': wait } = error.headers;
  // Every SERVICE_UNAVAILABLE has one, and needs no second line for it.
  const isWaitNamed = wait !== undefined && error.code !== 'SERVICE_UNAVAILABLE';
  const details = error.details ?? (isWaitNamed ? [{ retry_after: Number(wait) }] : null);
  return details ? `${line}\n${JSON.stringify(details)}` : line;
}

const pattern = /^(?<code>[A-Z_]+): (?<message>[^\n]*)(?:\n(?<details>\[.*\]))?$/s;

/** Sent with every SERVICE_UNAVAILABLE. */
const retryAfterSeconds = 2;

/**
 * Decodes the reason of a failed job. A reason of another origin, such as BullMQ, becomes an
 * INTERNAL_ERROR.
 */
export function decodeFailure(reason: string | undefined): AppError {
  const groups = pattern.exec(reason ?? '')?.groups;
  const code = groups?.['code'];
  if (!groups || code === undefined || !Object.hasOwn(statusOfCode, code)) {
    return new AppError('INTERNAL_ERROR', 'The job failed.', { cause: reason });
  }
  const { message = '', details: json } = groups;
  if (code === 'SERVICE_UNAVAILABLE') return unavailable(message, retryAfterSeconds);
  if (json === undefined) return new AppError(code as ErrorCode, message);
  const details = JSON.parse(json) as FieldError[] | [{ retry_after: number }];
  const [first] = details;
  return new AppError(
    code as ErrorCode,
    message,
    first && 'retry_after' in first
      ? { headers: { 'Retry-After': String(first.retry_after) } }
      : { details: details as FieldError[] },
  );
}

/**
 * How a job whose result is an object has ended; null if it has not. The reason of a failure says
 * nothing about it: a completed job keeps that of its last failed attempt.
 */
export function endOf({ finishedOn, returnvalue }: Job): 'completed' | 'failed' | null {
  if (!finishedOn) return null;
  return returnvalue ? 'completed' : 'failed';
}

/** A failure that is not retried. BullMQ fails the job at once. */
export class PermanentFailure extends UnrecoverableError {
  readonly failure: AppError;

  constructor(failure: AppError) {
    super(encodeFailure(failure));
    this.failure = failure;
  }
}

/** A failure that is retried after the queue's backoff. */
export class RetryableFailure extends Error {
  override readonly name = 'RetryableFailure';
  /** Minimum pause before the next attempt if the backend sent one, otherwise 0. */
  readonly retryAfterMs: number;
  /** The pause before the next attempt, once the queue's backoff has determined it. */
  pauseMs?: number;

  constructor(failure: AppError, cause?: unknown, retryAfterMs = 0) {
    super(encodeFailure(failure), { cause });
    this.retryAfterMs = retryAfterMs;
  }
}
