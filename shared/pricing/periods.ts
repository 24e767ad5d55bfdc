// Periods and their hours and days, all UTC. Usage is kept by the hour, so periods are made of whole hours.
import { day as dayMs, hour as hourMs } from '../durations.ts';
import { addUsage, emptyUsage, type HourUsage, mergeHours, startOfHour, type UsageCounters } from './usage.ts';

export type Interval = 'hour' | 'day';

export interface Period {
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** A period rounded outward to whole UTC hours, the smallest step of usage. */
export function wholeHours({ from, to }: Period): Period {
  return {
    from: from && new Date(startOfHour(from.getTime())),
    to: to && new Date(startOfHour(to.getTime() + hourMs - 1)),
  };
}

/**
 * The usage that pricing a period needs: from the start of its first month, because tiers and free amounts count from
 * there, to its end.
 */
export function usageNeededFor(period: Period): { from?: Date; to?: Date } {
  const { from, to } = wholeHours(period);
  return { ...(from && { from: new Date(startOfMonth(from)) }), ...(to && { to }) };
}

/** How many buckets `priceHours` would make: from the first to the last hour with entries in the period. */
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
  const length = lengthOf(interval);
  return Math.floor(last / length) - Math.floor(first / length) + 1;
}

/** Sums hours into buckets. An hour bucket is the hour itself. */
export function* bucketsOf(
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

/** Storage hands hours out in order and once each; anything else is put in order first. */
export function inOrder(hours: readonly HourUsage[]): readonly HourUsage[] {
  let last = -Infinity;
  for (const { hour } of hours) {
    if (hour.getTime() <= last) return mergeHours(hours);
    last = hour.getTime();
  }
  return hours;
}

/** The bounds of a period in epoch milliseconds, rounded outward to whole hours; infinite where it is open. */
export function epochPeriod(period: Period): { from: number; to: number } {
  const { from, to } = wholeHours(period);
  return { from: from?.getTime() ?? -Infinity, to: to?.getTime() ?? Infinity };
}

/** The start of the UTC month of an instant, in epoch milliseconds. */
export function startOfMonth(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** In milliseconds. */
export function lengthOf(interval: Interval): number {
  return interval === 'hour' ? hourMs : dayMs;
}
