// Merges usage: numbers are added, and a second is active if it is active in any of the parts. So
// the result does not depend on the order or the grouping of the parts.
import { architectures } from '../../shared/scenarios/assumptions.ts';
import { levelClasses } from '../../shared/scenarios/pipeline.ts';
import { addSeconds, noSeconds } from '../../shared/usage/stored-hour.ts';
import {
  addRows,
  addUsage,
  compare,
  emptyUsage,
  type HourUsage,
  type LevelCount,
  lastHourOf,
  sortLists,
  type UsageCounters,
  type UsageSum,
} from '../../shared/usage/usage.ts';

/** Merges hours, in any order and with duplicates, into one record per hour, sorted. */
export function mergeHours(hours: Iterable<HourUsage>): HourUsage[] {
  const merged = new Map<number, HourUsage>();
  for (const hour of hours) {
    const sum = merged.get(hour.hour.getTime()) ?? { hour: hour.hour, ...emptyUsage() };
    merged.set(hour.hour.getTime(), sum);
    addUsage(sum, hour);
    if (hour.levels) addLevels((sum.levels ??= []), hour.levels);
    if (hour.timedSeconds) addSeconds((sum.timedSeconds ??= noSeconds()), hour.timedSeconds);
  }
  for (const usage of merged.values()) {
    sortLists(usage);
    usage.levels?.sort((a, b) => levelClasses.indexOf(a.level) - levelClasses.indexOf(b.level));
    for (const { functions, inference } of usage.levels ?? []) {
      functions.sort((a, b) => architectures.indexOf(a.architecture) - architectures.indexOf(b.architecture));
      inference.sort((a, b) => compare(a.model, b.model));
    }
  }
  return [...merged.values()].sort((a, b) => a.hour.getTime() - b.hour.getTime());
}

/** The sum of all records. */
export function sumUsage(records: Iterable<UsageCounters>): UsageCounters {
  const sum = emptyUsage();
  for (const record of records) addUsage(sum, record);
  sortLists(sum);
  return sum;
}

/** Sums the hours of a day or month, or sums of parts of it. @returns undefined without entries. */
export function sumParts(parts: readonly (HourUsage | UsageSum)[]): UsageSum | undefined {
  const used = parts.filter(({ logs }) => logs > 0n);
  const [first] = used.map(({ hour }) => hour).sort((a, b) => a.getTime() - b.getTime());
  const last = used.map(lastHourOf).sort((a, b) => b.getTime() - a.getTime())[0];
  if (first === undefined || last === undefined) return undefined;
  return { hour: first, last, ...sumUsage(used) };
}

/** Adds `more` to `into` in place, and leaves `more` as it is. Afterwards, `into` is not sorted. */
export function addLevels(into: LevelCount[], more: readonly LevelCount[]): void {
  for (const count of structuredClone(more)) {
    const sum = into.find(({ level }) => level === count.level);
    if (sum === undefined) {
      into.push(count);
      continue;
    }
    sum.entries += count.entries;
    sum.sizeBytes += count.sizeBytes;
    sum.chunks += count.chunks;
    sum.functions = addRows(sum.functions, count.functions, 'architecture');
    sum.inference = addRows(sum.inference, count.inference, 'model');
    addSeconds(sum.seconds, count.seconds);
  }
}
