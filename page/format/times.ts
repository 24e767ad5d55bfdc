import { signal } from '@preact/signals';

const storageName = 'meterbook.utc';

/** Whether times are shown in UTC instead of the person's time zone. */
export const isUtc = signal(readChoice());

export function chooseUtc(chosen: boolean): void {
  isUtc.value = chosen;
  try {
    localStorage.setItem(storageName, String(chosen));
  } catch {
    // Storage is switched off: the choice lasts until the page is closed.
  }
}

function readChoice(): boolean {
  try {
    return localStorage.getItem(storageName) === 'true';
  } catch {
    return false;
  }
}

/** The person's time zone: `Europe/Berlin`. */
export const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `22 Nov 2026, 08:15`, in the chosen zone. */
export function formatTime(iso: string | null): string {
  return iso === null ? '–' : formatter({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

/** `22 Nov 2026, 08:15 – 10:00`, in the chosen zone. */
export const formatSpan = (from: string, to: string): string =>
  formatter({ dateStyle: 'medium', timeStyle: 'short' }).formatRange(new Date(from), new Date(to));

/** A step of time in a chart or a table. */
export type Interval = 'hour' | 'day' | 'month';

/**
 * The start of an hour, a day or a month. Days and months are those of UTC, so they are shown as
 * such in every zone.
 */
export function formatStart(time: number | string, interval: Interval): string {
  const date = new Date(time);
  if (interval === 'hour') return formatTime(date.toISOString());
  const style =
    interval === 'day' ? { dateStyle: 'medium' as const } : { month: 'long' as const, year: 'numeric' as const };
  return new Intl.DateTimeFormat('en-GB', { ...style, timeZone: 'UTC' }).format(date);
}

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { ...options, ...(isUtc.value ? { timeZone: 'UTC' } : {}) });
}
