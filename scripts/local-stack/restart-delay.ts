import { second } from '../../shared/durations.ts';

const shortest = 0.2 * second;
const longest = 5 * second;
/** A process that stayed up for so long is taken to have recovered. */
const steadyAfter = 30 * second;

/**
 * Milliseconds to wait before a crashed process is started again. `previous` is the pause before its last start,
 * undefined when this is its first crash; `upFor` says how long it ran.
 */
export function restartDelay(previous: number | undefined, upFor: number): number {
  if (previous === undefined || upFor >= steadyAfter) return shortest;
  return Math.min(previous * 2, longest);
}
