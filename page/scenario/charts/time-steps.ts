import { day, hour } from '../../../shared/durations.ts';
import type { Interval } from '../../format/times.ts';

/** Rows of one response of the API. */
export const maxRows = 2_000;

/** In ms: longer periods have narrower bars than a person can point at. */
const longestByHour = 14 * day;
const longestByDay = 2 * 366 * day;
const shortestByMonth = 62 * day;

/** The steps in which a period of this length can be shown, from the shortest. */
export function stepsFor(length: number): Interval[] {
  const fits = { hour: length <= maxRows * hour, day: length <= maxRows * day, month: length >= shortestByMonth };
  return (['hour', 'day', 'month'] as const).filter((step) => fits[step]);
}

/** @param wanted is shown if it fits. */
export function stepFor(length: number, wanted: string | null): Interval {
  const found = stepsFor(length).find((step) => step === wanted);
  if (found) return found;
  if (length <= longestByHour) return 'hour';
  return length <= longestByDay ? 'day' : 'month';
}

/** The end of the step that begins at a time, both in epoch milliseconds. */
export function endOfStep(start: number, step: Interval): number {
  if (step !== 'month') return start + (step === 'hour' ? hour : day);
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
