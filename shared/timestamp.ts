/** Accepted instants in epoch milliseconds: from 1970 to before 2100. */
const earliest = Date.UTC(1970, 0, 1);
export const endOfTimestamps = Date.UTC(2100, 0, 1);
/** Numbers from here on are milliseconds: as seconds they would be after the year 5000. */
const firstMilliseconds = 100_000_000_000;

const isoTime =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?)(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Reads an ISO 8601 date or time (UTC where it names no zone) or a Unix time in seconds or
 * milliseconds.
 * @param last the last accepted instant, in epoch milliseconds.
 * @returns epoch milliseconds, or undefined if the value is not such an instant: 30 February, a
 * year before 1970.
 */
export function parseTimestamp(value: unknown, last = endOfTimestamps - 1): number | undefined {
  const time = typeof value === 'string' ? parseIso(value) : typeof value === 'number' ? parseUnix(value) : undefined;
  return time !== undefined && time >= earliest && time <= last ? time : undefined;
}

/** The unit of a Unix time by its size: each is read so up to the year 5138. */
const unixUnits = [
  { below: 1e11, perMs: 1e-3 },
  { below: 1e14, perMs: 1 },
  { below: 1e17, perMs: 1e3 },
  { below: Number.POSITIVE_INFINITY, perMs: 1e6 },
];

/**
 * Reads what programs write as the time of a log line: ISO 8601, or a Unix time in seconds,
 * milliseconds, microseconds or nanoseconds, as a number or a text, with or without a fraction.
 * @returns epoch milliseconds, or undefined if the value is not such an instant from 1970 to
 * before 2100.
 */
export function epochTimeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,20}(?:\.\d{1,20})?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return parseTimestamp(value);
  const unit = unixUnits.find(({ below }) => number < below);
  // From microseconds, because 1785000000.123 * 1000 is less than 1785000000123.
  const time = unit && Math.floor(Math.round((number / unit.perMs) * 1000) / 1000);
  return time !== undefined && time >= earliest && time < endOfTimestamps ? time : undefined;
}

function parseUnix(value: number): number {
  return Math.floor(value >= firstMilliseconds ? value : value * 1000);
}

function parseIso(text: string): number | undefined {
  const parts = isoTime.exec(text)?.groups;
  if (!parts) return undefined;
  const { year, month, day, time = '00:00', zone = 'Z' } = parts;
  // Date.parse turns 30 February into a day of March, so the date is checked by itself.
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(day)) return undefined;
  const parsed = Date.parse(`${year}-${month}-${day}T${time.replace(',', '.')}${inFull(zone)}`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** `+0200` and `+02` become `+02:00`. */
const inFull = (zone: string) =>
  zone.length === 1 ? zone.toUpperCase() : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
