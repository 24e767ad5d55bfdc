const isoAtStart = /^\[?(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?\s?(Z|[+-]\d{2}:?\d{2})?(?![\d:])/;

/** The span in which the service takes an entry's time. */
const earliest = new Date('1970-01-01');
const latest = new Date('2100-01-01');

/**
 * The instant at the beginning of a log line, as ISO 8601 in UTC with milliseconds, or undefined when it begins with
 * anything else, or with an impossible or far-off time. Without a zone, UTC is meant.
 */
export function timestampOf(line: string): string | undefined {
  const match = isoAtStart.exec(line);
  if (match === null) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = match;
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const instant = new Date(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  if (Number.isNaN(instant.getTime()) || instant < earliest || instant >= latest) return undefined;
  // 31 February would become a day in March.
  if (zone === 'Z' && instant.toISOString().slice(0, 10) !== date) return undefined;
  return instant.toISOString();
}
