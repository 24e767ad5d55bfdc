import { day, second } from '../../../shared/durations.ts';

/**
 * Labels of times on an axis; the first one, and each that begins a new day or year, has it in a
 * second line.
 * @param starts in epoch seconds.
 * @param distance between two of them, in seconds.
 * @param timeZone undefined is that of the browser.
 */
export function timeLabels(starts: readonly number[], distance: number, timeZone: string | undefined): string[] {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone ? { timeZone } : {}) });
    return (start: number) => formatter.format(start * second);
  };
  const ofYear = format({ year: 'numeric' });
  const ofDay = format({ day: 'numeric', month: 'short' });
  const isByYear = distance >= (365 * day) / second;
  if (isByYear) return starts.map(ofYear);
  const isByMonth = distance >= (28 * day) / second;
  const isByDay = distance >= day / second;
  const short = isByMonth
    ? format({ month: 'short' })
    : isByDay
      ? ofDay
      : format({ hour: '2-digit', minute: '2-digit' });
  const long = isByDay ? ofYear : ofDay;
  let previous = '';
  return starts.map((start) => {
    const second = long(start);
    const isNew = second !== previous;
    previous = second;
    return isNew ? `${short(start)}\n${second}` : short(start);
  });
}

const counts = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export const countLabel = (count: number): string => counts.format(count);

/** Smaller amounts are written as powers of ten. */
const mostDecimals = 6;

/** @param distance between two labels, which decides how many decimals they need. */
export function usdLabel(usd: number, distance: number): string {
  if (usd === 0) return '$0';
  const leading = Math.max(0, -Math.floor(Math.log10(distance) + 1e-9));
  // A distance such as 0.025 has one digit more.
  const units = distance * 10 ** leading;
  const decimals = Math.abs(units - Math.round(units)) < 1e-6 ? leading : leading + 1;
  if (decimals > mostDecimals) return `$${usd.toExponential(decimals - leading)}`;
  if (usd >= 10_000) return `$${counts.format(usd)}`;
  return `$${usd.toFixed(decimals === 1 ? 2 : decimals)}`;
}

/** Distances of whole numbers: 1, 2, 5, 10, 20, 50, … */
export const wholeDistances = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat();
