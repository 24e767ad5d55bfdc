const minutes = { dateStyle: 'medium', timeStyle: 'short' } as const;
const ofRecords = new Intl.DateTimeFormat('en-GB', minutes);
const ofHours = new Intl.DateTimeFormat('en-GB', { ...minutes, timeZone: 'UTC' });
const ofDays = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The person's time zone: `Europe/Berlin`. */
export const localZone = ofRecords.resolvedOptions().timeZone;

/** When something was created or changed, in the zone of the person: `22 Nov 2026, 08:15`. */
export const formatTime = (iso: string): string => ofRecords.format(new Date(iso));

/**
 * A period of a log: `22 Nov 2026, 08:00 – 10:00 UTC`. Its hours and days are those of UTC in every
 * zone, as in reports.
 */
export const formatSpan = (from: string, to: string): string =>
  `${ofHours.formatRange(Date.parse(from), Date.parse(to))} UTC`;

/** The same, by its dates if it has several: `1 – 30 Nov 2026`. Both in ms, `end` exclusive. */
export function formatDates(start: number, end: number): string {
  const isOneDay = ofDays.format(start) === ofDays.format(end - 1);
  return isOneDay ? `${ofHours.formatRange(start, end)} UTC` : ofDays.formatRange(start, end - 1);
}

/** A step of time in a chart. */
export type Interval = 'hour' | 'day';

/** The start of an hour or a day of a log, in UTC. */
export const formatStart = (time: number, interval: Interval): string =>
  (interval === 'hour' ? ofHours : ofDays).format(time);
