import { UnrecoverableError } from 'bullmq';
import { AppError, type ErrorCode, type FieldError, statusOfCode } from '../errors.ts';

/**
 * How an error crosses Redis. BullMQ keeps one string of a failed job, its reason. Ours reads `CODE: sentence`, so that
 * an operator sees on the dashboard what a caller would see; details, if any, follow as JSON on a second line.
 */
export function encodeFailure(error: AppError): string {
  const line = `${error.code}: ${error.message.replaceAll(/\s+/g, ' ')}`;
  return error.details ? `${line}\n${JSON.stringify(error.details)}` : line;
}

const pattern = /^(?<code>[A-Z_]+): (?<message>[^\n]*)(?:\n(?<details>\[.*\]))?$/s;

/** The error that a failed job's reason stands for. Reasons that are not ours become a plain INTERNAL_ERROR. */
export function decodeFailure(reason: string | undefined): AppError {
  const groups = pattern.exec(reason ?? '')?.groups;
  const code = groups?.['code'];
  if (!groups || code === undefined || !Object.hasOwn(statusOfCode, code)) {
    return new AppError('INTERNAL_ERROR', 'The job failed.', { cause: reason });
  }
  const details = groups['details'];
  return new AppError(
    code as ErrorCode,
    groups['message'] ?? '',
    details === undefined ? {} : { details: JSON.parse(details) as FieldError[] },
  );
}

/** A failure that no retry can mend: BullMQ moves the job to the failed ones at once. */
export class PermanentFailure extends UnrecoverableError {
  readonly failure: AppError;

  constructor(failure: AppError) {
    super(encodeFailure(failure));
    this.failure = failure;
  }
}

/** A failure that is tried again by the queue's backoff. */
export class RetryableFailure extends Error {
  override readonly name = 'RetryableFailure';
  /** The least time before the next attempt, where the other side has named one. */
  readonly retryAfterMs: number;

  constructor(failure: AppError, cause?: unknown, retryAfterMs = 0) {
    super(encodeFailure(failure), { cause });
    this.retryAfterMs = retryAfterMs;
  }
}
