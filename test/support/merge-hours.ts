import {
  addUsage,
  type DayCounters,
  emptyUsage,
  firstHourOf,
  type HourCounters,
  lastHourOf,
  mergeCounters,
  type UsagePart,
  type UsageTotals,
} from '../../shared/usage/stored-hour.ts';

/** Merges hours, in any order and with duplicates, into one record per hour, sorted. */
export function mergeHours(hours: Iterable<HourCounters>): HourCounters[] {
  const merged = new Map<number, HourCounters>();
  for (const hour of hours) {
    const sum = merged.get(hour.hour.getTime()) ?? ({} as HourCounters);
    merged.set(hour.hour.getTime(), sum);
    mergeCounters(sum, hour);
  }
  return [...merged.values()].sort((a, b) => a.hour.getTime() - b.hour.getTime());
}

/** The sum of all records. */
export function sumUsage(records: Iterable<UsageTotals>): UsageTotals {
  const sum = emptyUsage();
  for (const record of records) addUsage(sum, record);
  return sum;
}

/** Sums the hours of a day or month, or sums of parts of it. @returns undefined without entries. */
export function sumParts(parts: readonly UsagePart[]): DayCounters | undefined {
  const used = parts.filter(({ logs }) => logs > 0);
  const [first] = used.map(firstHourOf).sort((a, b) => a.getTime() - b.getTime());
  const last = used.map(lastHourOf).sort((a, b) => b.getTime() - a.getTime())[0];
  return first && last && { first, last, ...sumUsage(used) };
}
