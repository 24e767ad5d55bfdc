import { day as dayMs, hour as hourMs } from '../../shared/durations.ts';
import { addSeconds, noSeconds } from '../../shared/usage/active-seconds.ts';
import {
  addUsage,
  emptyUsage,
  type HourUsage,
  lastHourOf,
  sortLists,
  type UsageSum,
} from '../../shared/usage/usage.ts';
import { addLevels, sortLevels } from './merge-levels.ts';

/** Merges hours, in any order and with duplicates, into one record per hour, sorted. */
export function mergeHours(hours: Iterable<HourUsage>): HourUsage[] {
  const sums = new HourSums();
  for (const hour of hours) sums.add(hour);
  return [...sums.days()].flatMap((day) => sums.takeDay(day));
}

/** Sums the hours of a day or month, or sums of parts of it. @returns undefined without entries. */
export function sumParts(parts: readonly (HourUsage | UsageSum)[]): UsageSum | undefined {
  const sum = emptyUsage();
  let first: Date | undefined;
  let last: Date | undefined;
  for (const part of parts) {
    if (part.logs === 0n) continue;
    const end = lastHourOf(part);
    if (first === undefined || part.hour < first) first = part.hour;
    if (last === undefined || end > last) last = end;
    addUsage(sum, part);
  }
  if (first === undefined || last === undefined) return undefined;
  sortLists(sum);
  return { hour: first, last, ...sum };
}

/**
 * Sums hours that are added one by one, in any order; it holds one record per hour, however many
 * are added.
 */
export class HourSums {
  /**
   * By the start of the day, in epoch milliseconds: 24 hours, of which those without usage are
   * absent.
   */
  readonly #days = new Map<number, (Omit<HourUsage, 'hour'> | undefined)[]>();
  #size = 0;

  /** The number of hours. */
  get size(): number {
    return this.#size;
  }

  /** The starts of the UTC days, in epoch milliseconds, ascending. */
  days(): Float64Array {
    // Sorts tens of thousands of days in a fraction of a slice.
    return Float64Array.from(this.#days.keys()).sort();
  }

  /** The hour that is added is not changed. */
  add(hour: HourUsage): void {
    const start = hour.hour.getTime();
    const dayStart = Math.floor(start / dayMs) * dayMs;
    let day = this.#days.get(dayStart);
    if (day === undefined) {
      day = [];
      this.#days.set(dayStart, day);
    }
    const index = (start - dayStart) / hourMs;
    let sum = day[index];
    if (sum === undefined) {
      sum = emptyUsage();
      day[index] = sum;
      this.#size += 1;
    }
    addUsage(sum, hour);
    if (hour.levels) {
      sum.levels ??= [];
      addLevels(sum.levels, hour.levels);
    }
    if (hour.timedSeconds) addSeconds((sum.timedSeconds ??= noSeconds()), hour.timedSeconds);
  }

  /** Removes a day. @returns its hours by time, their lists in a fixed order. */
  takeDay(dayStart: number): HourUsage[] {
    const hours: HourUsage[] = [];
    for (const [index, usage] of (this.#days.get(dayStart) ?? []).entries()) {
      if (usage === undefined) continue;
      sortLists(usage);
      if (usage.levels) sortLevels(usage.levels);
      hours.push({ hour: new Date(dayStart + index * hourMs), ...usage });
    }
    this.#days.delete(dayStart);
    this.#size -= hours.length;
    return hours;
  }
}
