import { RetryableFailure } from './job-failure.ts';

/**
 * How long a failed job waits for its next attempt, in milliseconds. `attemptsMade` counts from 1; `error` is what the
 * last attempt threw.
 */
export type Backoff = (attemptsMade: number, error: Error | undefined) => number;

/** The pause after the first attempt and the longest one, in milliseconds; it doubles with every attempt. */
export interface PauseLimits {
  readonly first: number;
  readonly longest: number;
}

/** From a quarter of a second, doubled with every attempt, up to `longest` milliseconds. */
export function cappedBackoff(longest: number): Backoff {
  return (attemptsMade) => doubledPause({ first: 250, longest }, attemptsMade);
}

/**
 * Doubled with every attempt up to the limit, and shortened by up to a half at random, so that jobs which failed together
 * are not retried together. Never shorter than the `Retry-After` of a `RetryableFailure`.
 */
export function jitteredBackoff(limits: PauseLimits): Backoff {
  return (attemptsMade, error) => {
    const retryAfterMs = error instanceof RetryableFailure ? error.retryAfterMs : 0;
    const pause = doubledPause(limits, attemptsMade) * (0.5 + Math.random() / 2);
    return Math.round(Math.max(retryAfterMs, pause));
  };
}

/** The upper bound of `jitteredBackoff`: what a decision about a deadline has to allow for. */
export function longestPause(limits: PauseLimits, attemptsMade: number, retryAfterMs: number): number {
  return Math.max(retryAfterMs, doubledPause(limits, attemptsMade));
}

function doubledPause({ first, longest }: PauseLimits, attemptsMade: number): number {
  // The bound on the exponent keeps the power finite after thousands of attempts.
  return Math.min(longest, first * 2 ** Math.min(attemptsMade - 1, 20));
}
