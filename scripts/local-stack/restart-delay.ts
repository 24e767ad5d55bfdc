import { second } from '../../shared/durations.ts';

const minDelay = 0.2 * second;
const maxDelay = 5 * second;
/** After this uptime, the next crash counts as a first crash. */
const stableUptime = 30 * second;

/**
 * Milliseconds to wait before a crashed process is restarted. `previous` is the delay before the
 * last start; undefined for the first crash. `uptime` is in milliseconds.
 */
export function restartDelay(previous: number | undefined, uptime: number): number {
  if (previous === undefined || uptime >= stableUptime) return minDelay;
  return Math.min(previous * 2, maxDelay);
}
