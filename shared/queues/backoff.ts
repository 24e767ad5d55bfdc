import { minute } from '../durations.ts';
import { RetryableFailure } from './job-failure.ts';

/**
 * The pause before the next attempt of a failed job, in milliseconds. `attemptsMade` counts from 1.
 * `error` is the error of the last attempt.
 */
export type Backoff = (attemptsMade: number, error: Error | undefined) => number;

/** The pause after the first attempt and the longest pause, in milliseconds. */
interface PauseLimits {
  readonly first: number;
  readonly longest: number;
}

/** A pause of 250 ms that doubles with every attempt, up to `longest` milliseconds. */
export function cappedBackoff(longest: number): Backoff {
  return (attemptsMade) => doubledPause({ first: 250, longest }, attemptsMade);
}

/**
 * A pause that doubles with every attempt up to the limit, and is shortened at random by up to a
 * half, so that jobs that fail together are not retried together. The pause is never shorter than
 * the `Retry-After` of a `RetryableFailure`.
 */
export function jitteredBackoff(limits: PauseLimits): Backoff {
  return (attemptsMade, error) => {
    const retryAfterMs = error instanceof RetryableFailure ? error.retryAfterMs : 0;
    const pause = doubledPause(limits, attemptsMade) * (0.5 + Math.random() / 2);
    return Math.round(Math.max(retryAfterMs, pause));
  };
}

/** The upper bound of `jitteredBackoff`, for comparing the next attempt with a deadline. */
export function longestPause(limits: PauseLimits, attemptsMade: number, retryAfterMs: number): number {
  return Math.max(retryAfterMs, doubledPause(limits, attemptsMade));
}

function doubledPause({ first, longest }: PauseLimits, attemptsMade: number): number {
  // The bound on the exponent keeps the power finite after thousands of attempts.
  return Math.min(longest, first * 2 ** Math.min(attemptsMade - 1, 20));
}

/** Settings of jobs that are retried every minute, until they succeed or fail permanently. */
export const retriedIndefinitely = {
  attempts: 1_000_000,
  backoff: cappedBackoff(minute),
  maxStalledCount: 10_000,
} as const;
