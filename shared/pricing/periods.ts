// Periods and their hours and days, all in UTC. Usage is stored by hour, so periods consist of whole hours.
import { day as dayMs, hour as hourMs } from '../durations.ts';
import { addUsage, emptyUsage, type HourUsage, mergeHours, startOfHour, type UsageCounters } from './usage.ts';

export const intervals = ['hour', 'day'] as const;
export type Interval = (typeof intervals)[number];

export interface Period {
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** Rounds a period outward to whole UTC hours. */
export function wholeHours({ from, to }: Period): Period {
  return {
    from: from && new Date(startOfHour(from.getTime())),
    to: to && new Date(startOfHour(to.getTime() + hourMs - 1)),
  };
}

/**
 * The usage that is needed to price a period: from the start of the first month, because tiers and free amounts begin
 * there, to the end of the period.
 */
export function usageNeededFor(period: Period): { from?: Date; to?: Date } {
  const { from, to } = wholeHours(period);
  return { ...(from && { from: new Date(startOfMonth(from)) }), ...(to && { to }) };
}

/**
 * The number of buckets from the first to the last hour with entries in the period, including those without entries.
 */
export function countBuckets(hours: readonly HourUsage[], interval: Interval, period: Period = {}): number {
  const { from, to } = epochPeriod(period);
  let first = Infinity;
  let last = -Infinity;
  for (const { hour, logs } of hours) {
    const start = hour.getTime();
    if (logs === 0n || start < from || start >= to) continue;
    first = Math.min(first, start);
    last = Math.max(last, start);
  }
  if (first > last) return 0;
  const length = intervalLength(interval);
  return Math.floor(last / length) - Math.floor(first / length) + 1;
}

/** Sums sorted hours into buckets of `length` milliseconds. For buckets of an hour, it yields the hours themselves. */
export function* sumIntoBuckets(
  hours: readonly HourUsage[],
  length: number,
): Generator<{ start: number; usage: UsageCounters }> {
  let current: { start: number; usage: UsageCounters } | undefined;
  for (const hour of hours) {
    const start = Math.floor(hour.hour.getTime() / length) * length;
    if (length === hourMs) {
      yield { start, usage: hour };
    } else if (current?.start === start) {
      addUsage(current.usage, hour);
    } else {
      if (current !== undefined) yield current;
      current = { start, usage: emptyUsage() };
      addUsage(current.usage, hour);
    }
  }
  if (current !== undefined) yield current;
}

/** Sorts and merges hours. Hours that are sorted already, such as stored usage, are returned unchanged. */
export function sortHours(hours: readonly HourUsage[]): readonly HourUsage[] {
  let last = -Infinity;
  for (const { hour } of hours) {
    if (hour.getTime() <= last) return mergeHours(hours);
    last = hour.getTime();
  }
  return hours;
}

/** The bounds of a period in epoch milliseconds, rounded outward to whole hours; infinite for an open end. */
export function epochPeriod(period: Period): { from: number; to: number } {
  const { from, to } = wholeHours(period);
  return { from: from?.getTime() ?? -Infinity, to: to?.getTime() ?? Infinity };
}

/** The start of the UTC month of a date, in epoch milliseconds. */
export function startOfMonth(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The length of an interval in milliseconds. */
export function intervalLength(interval: Interval): number {
  return interval === 'hour' ? hourMs : dayMs;
}
