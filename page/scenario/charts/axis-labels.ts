import { day } from '../../../shared/durations.ts';
import type { Interval } from '../../format/times.ts';

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const hourLabels = inUtc({ timeStyle: 'short' });
const dayLabels = inUtc({ day: 'numeric', month: 'short' });
const yearLabels = inUtc({ year: 'numeric' });

/**
 * Labels of bars; the first one, and each that begins a new day or year, has it in a second line.
 * @param starts of the labelled bars, in epoch milliseconds.
 */
export function timeLabels(starts: readonly number[], step: Interval): string[] {
  const isByDay = step === 'day' || (starts.at(-1) ?? 0) - (starts[0] ?? 0) > 7 * day;
  const [short, long] = isByDay ? [dayLabels, yearLabels] : [hourLabels, dayLabels];
  let previous = '';
  return starts.map((start) => {
    const second = long.format(start);
    const isNew = second !== previous;
    previous = second;
    return isNew ? `${short.format(start)}\n${second}` : short.format(start);
  });
}

/** Round values from 0 to at least `max`: four to eight of them. */
export function axisValues(max: number, isWhole: boolean): number[] {
  const rough = max / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const distance = Math.max(([1, 2, 5, 10].find((n) => n * power >= rough) ?? 10) * power, isWhole ? 1 : 0);
  return Array.from({ length: Math.ceil(max / distance - 1e-9) + 1 }, (_, index) => index * distance);
}

const counts = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export const countLabel = (count: number): string => counts.format(count);

/** Smaller amounts are written as powers of ten. */
const mostDecimals = 6;

/** @param distance between two labels, which decides how many decimals they need. */
export function usdLabel(usd: number, distance: number): string {
  if (usd === 0) return '$0';
  const decimals = Math.max(0, -Math.floor(Math.log10(distance) + 1e-9));
  if (decimals > mostDecimals) return `$${usd.toExponential(0)}`;
  if (usd >= 10_000) return `$${counts.format(usd)}`;
  return `$${usd.toFixed(decimals === 1 ? 2 : decimals)}`;
}
