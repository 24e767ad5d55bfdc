const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const clock = String.raw`(?<time>\d{2}:\d{2}:\d{2})(?:[.,](?<fraction>\d{1,9}))?`;

const formats = [
  // ISO 8601 and similar: 2026-05-01T10:20:30.123Z
  String.raw`^\[?(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})[T ]${clock}\s?(?<zone>Z|[+-]\d{2}:?\d{2})?(?![\d:])`,
  // Apache error log: [Sun Dec 04 04:47:44 2005]
  String.raw`^\[[A-Z][a-z]{2} ${month} (?<day>[ \d]\d) ${clock} (?<year>\d{4})\]`,
  // Common log format, in the first brackets of the line: 192.0.2.7 - jane [10/Oct/2000:13:55:36
  // -0700]
  String.raw`^[^[]{0,256}\[(?<day>\d{2})/${month}/(?<year>\d{4}):${clock}(?: (?<zone>[+-]\d{4}))?\]`,
  // Syslog, without a year: Jun 14 15:16:01
  String.raw`^${month} (?<day>[ \d]\d) ${clock}(?![\d:])`,
].map((format) => new RegExp(format));

/** The range of timestamps that the service accepts. */
const earliest = new Date('1970-01-01');
const latest = new Date('2100-01-01');

/** Maximum number of years between two 29 Februaries. */
const leapYearGap = 8;

/**
 * The timestamp at the beginning of a log line, in ISO 8601, UTC, with milliseconds. Undefined if
 * there is no timestamp, if the date does not exist, or if the time is out of range. The default
 * zone is UTC. The default year is the latest year in which the day exists and the time is not
 * after `now`.
 */
export function timestampOf(line: string, now = new Date()): string | undefined {
  for (const format of formats) {
    const parts = format.exec(line)?.groups;
    if (parts === undefined) continue;
    if (parts['year'] !== undefined) return instantOf(parts, parts['year'])?.toISOString();
    const thisYear = now.getUTCFullYear();
    for (let year = thisYear; year >= thisYear - leapYearGap; year -= 1) {
      const instant = instantOf(parts, String(year));
      if (instant !== undefined && instant <= now) return instant.toISOString();
    }
  }
  return undefined;
}

function instantOf(parts: Record<string, string | undefined>, year: string): Date | undefined {
  const { month: named = '', day = '', time = '', fraction = '', zone = 'Z' } = parts;
  const number = months.includes(named) ? months.indexOf(named) + 1 : named;
  const written = `${year}-${String(number).padStart(2, '0')}-${day.trim().padStart(2, '0')}T${time}`;
  const inUtc = new Date(`${written}Z`);
  // Date would read 31 February as a day in March, and 24:00:00 as the next day.
  if (Number.isNaN(inUtc.getTime()) || !inUtc.toISOString().startsWith(written)) return undefined;
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const instant = new Date(`${written}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return instant >= earliest && instant < latest ? instant : undefined;
}
