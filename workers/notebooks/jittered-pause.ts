import { second } from '../../shared/durations.ts';

const first = 100;
const longest = 1 * second;

/** The longest that `jitteredPause` may be: doubled with every attempt, and never shorter than the other side asks. */
export function longestPause(attempt: number, retryAfterMs: number): number {
  return Math.max(retryAfterMs, Math.min(longest, first * 2 ** Math.min(attempt - 1, 20)));
}

/** The pause after an attempt; between a half of it and all, by chance, so that jobs which failed together part. */
export function jitteredPause(attempt: number, retryAfterMs: number): number {
  const spread = longestPause(attempt, 0) * (0.5 + Math.random() / 2);
  return Math.round(Math.max(retryAfterMs, spread));
}
