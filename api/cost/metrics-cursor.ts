import { parseTimestamp } from '../../shared/timestamp.ts';
import { type Interval, intervalLength } from '../../shared/usage/periods.ts';

/** Where a page of the time series begins. */
export interface MetricsCursor {
  interval: Interval;
  /** The start of a UTC hour or day, in epoch milliseconds. */
  start: number;
}

/**
 * `hour:2026-05-01T12:00:00.000Z`: it names the interval, so that entries that arrive between two
 * pages do not change it.
 */
export function formatCursor({ interval, start }: MetricsCursor): string {
  return `${interval}:${new Date(start).toISOString()}`;
}

/** Undefined for a text that is not a cursor. */
export function parseCursor(text: string): MetricsCursor | undefined {
  const { name, time } = /^(?<name>hour|day):(?<time>.+Z)$/.exec(text)?.groups ?? {};
  const interval = name as Interval | undefined;
  const start = parseTimestamp(time);
  if (interval === undefined || start === undefined || start % intervalLength(interval) !== 0) return undefined;
  return { interval, start };
}
