const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const clock = String.raw`(?<time>\d{2}:\d{2}:\d{2})(?:[.,](?<fraction>\d{1,9}))?`;

const spellings = [
  // 2026-05-01T10:20:30.123Z and its relatives.
  String.raw`^\[?(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})[T ]${clock}\s?(?<zone>Z|[+-]\d{2}:?\d{2})?(?![\d:])`,
  // [Sun Dec 04 04:47:44 2005], Apache's error log.
  String.raw`^\[[A-Z][a-z]{2} ${month} (?<day>[ \d]\d) ${clock} (?<year>\d{4})\]`,
  // 192.0.2.7 - jane [10/Oct/2000:13:55:36 -0700], the common log format: in the first brackets of the line.
  String.raw`^[^[]{0,256}\[(?<day>\d{2})/${month}/(?<year>\d{4}):${clock}(?: (?<zone>[+-]\d{4}))?\]`,
  // Jun 14 15:16:01, syslog: the year is not told.
  String.raw`^${month} (?<day>[ \d]\d) ${clock}(?![\d:])`,
].map((spelling) => new RegExp(spelling));

/** The span in which the service takes an entry's time. */
const earliest = new Date('1970-01-01');
const latest = new Date('2100-01-01');

/** 29 February can be this many years ago. */
const leapYearGap = 8;

/**
 * The instant at the beginning of a log line, as ISO 8601 in UTC with milliseconds, or undefined when it begins with
 * anything else, or with an impossible or far-off time. Without a zone, UTC is meant; without a year, the last one in
 * which there is such a day and the time is not after `now`.
 */
export function timestampOf(line: string, now = new Date()): string | undefined {
  for (const spelling of spellings) {
    const parts = spelling.exec(line)?.groups;
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
  // 31 February would become a day in March, and 24:00:00 one of the next day.
  if (Number.isNaN(inUtc.getTime()) || !inUtc.toISOString().startsWith(written)) return undefined;
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const instant = new Date(`${written}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return instant >= earliest && instant < latest ? instant : undefined;
}
