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

/** The start of an hour or a day. Days are UTC days, so they are shown as such in every zone. */
export function formatStart(iso: string, interval: 'hour' | 'day'): string {
  if (interval === 'hour') return formatTime(iso);
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));
}

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { ...options, ...(isUtc.value ? { timeZone: 'UTC' } : {}) });
}
