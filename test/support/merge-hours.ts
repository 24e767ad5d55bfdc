import { HourSums, type HourUsage } from '../../shared/usage/usage.ts';

/** Merges hours, in any order and with duplicates, into one record per hour, sorted. */
export function mergeHours(hours: Iterable<HourUsage>): HourUsage[] {
  const sums = new HourSums();
  for (const hour of hours) sums.add(hour);
  return [...sums.days()].flatMap((day) => sums.takeDay(day));
}
