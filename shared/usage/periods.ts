// Periods and their hours and days, all in UTC. Usage is stored by hour, so periods consist of
// whole hours.
import { day as dayMs, hour as hourMs } from '../durations.ts';

export const intervals = ['hour', 'day'] as const;
export type Interval = (typeof intervals)[number];

export interface Period {
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** A time in epoch milliseconds: `start` is inclusive, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** The start of the UTC hour of an instant, both in epoch milliseconds. */
export function startOfHour(epochMs: number): number {
  return Math.floor(epochMs / hourMs) * hourMs;
}

/** Rounds a period outward to whole UTC hours. */
export function wholeHours({ from, to }: Period): Period {
  return {
    from: from && new Date(startOfHour(from.getTime())),
    to: to && new Date(startOfHour(to.getTime() + hourMs - 1)),
  };
}

/** The usage that prices a period: from its month's start, where tiers begin. */
export function usageNeededFor(period: Period): { from?: Date; to?: Date } {
  const { from, to } = wholeHours(period);
  return { ...(from && { from: new Date(startOfMonth(from)) }), ...(to && { to }) };
}

/** A period in epoch milliseconds, rounded outward to whole hours; infinite if it is open. */
export function epochPeriod(period: Period): { from: number; to: number } {
  const { from, to } = wholeHours(period);
  return { from: from?.getTime() ?? -Infinity, to: to?.getTime() ?? Infinity };
}

/** Whether a period begins or ends within a UTC day or month, which is then read by hour. */
export function divides(period: Period, { start, end }: Span): boolean {
  const { from, to } = epochPeriod(period);
  return (from > start && from < end) || (to > start && to < end);
}

/** The UTC day that begins at `start`. */
export const daySpan = (start: number): Span => ({ start, end: start + dayMs });

/** The UTC month that begins at `start`. */
export function monthSpan(start: number): Span {
  const date = new Date(start);
  return { start, end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) };
}

/** The start of the UTC month of a date, in epoch milliseconds. */
export function startOfMonth(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The length of an interval in milliseconds. */
export function intervalLength(interval: Interval): number {
  return interval === 'hour' ? hourMs : dayMs;
}
