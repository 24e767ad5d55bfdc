import { second as secondMs } from '../../durations.ts';
import type { CompleteAssumptions } from '../../scenarios/assumptions.ts';
import { levelsOf } from '../../usage/levels-of.ts';
import type { HourUsage } from '../../usage/usage.ts';
import { CountedHour } from './hour-counts.ts';

/**
 * The counters of an hour of a scenario, from which its pipelines are derived.
 * @param own the assumptions that the hour was counted on.
 * @param now in epoch milliseconds.
 */
export function countHour(hour: HourUsage, { queue }: CompleteAssumptions, now: number): CountedHour {
  return new CountedHour(levelsOf(hour, queue.requests_per_message), (now - hour.hour.getTime()) / secondMs);
}
