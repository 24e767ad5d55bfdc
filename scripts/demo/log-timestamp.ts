const isoAtStart = /^\[?(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?\s?(Z|[+-]\d{2}:?\d{2})?(?![\d:])/;

/** The span in which the service takes an entry's time. */
const earliest = new Date('1970-01-01');
const latest = new Date('2100-01-01');

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const clock = String.raw`(?<time>\d{2}:\d{2}:\d{2})`;
/** `[Sun Dec 04 04:47:44 2005]`, with a fraction or without, as Apache writes errors. */
const apacheError = new RegExp(String.raw`^\[\w{3} ${month} (?<day>\d{2}) ${clock}(?:\.\d+)? (?<year>\d{4})\]`);
/** `10.0.0.1 - - [10/Oct/2000:13:55:36 -0700]`, the common log format. */
const access = new RegExp(
  String.raw`^\S+ \S+ \S+ \[(?<day>\d{2})/${month}/(?<year>\d{4}):${clock} (?<zone>[+-]\d{4})\]`,
);
/** `Jun 14 15:16:01`, as syslog writes it. */
const syslog = new RegExp(String.raw`^${month} (?<day>[ \d]\d) ${clock} `);

/**
 * The instant at the beginning of a log line, as ISO 8601 in UTC with milliseconds, or undefined when it begins with
 * anything else, or with an impossible or far-off time. Without a zone, UTC is meant; without a year, the last one in
 * which the time is not in the future.
 */
export function timestampOf(line: string, now = new Date()): string | undefined {
  const iso = isoAtStart.exec(line);
  if (iso !== null) {
    const [, date = '', time = '', fraction = '', zone = 'Z'] = iso;
    return instantOf(date, `${time}.${fraction.slice(0, 3).padEnd(3, '0')}`, zone);
  }
  const named = (apacheError.exec(line) ?? access.exec(line))?.groups;
  if (named) return instantOf(dateOf(named, named['year']), named['time'] ?? '', named['zone']);
  const yearless = syslog.exec(line)?.groups;
  if (!yearless) return undefined;
  const thisYear = instantOf(dateOf(yearless, now.getUTCFullYear()), yearless['time'] ?? '');
  if (thisYear !== undefined && thisYear <= now.toISOString()) return thisYear;
  return instantOf(dateOf(yearless, now.getUTCFullYear() - 1), yearless['time'] ?? '');
}

function dateOf({ month: name = '', day = '' }: Record<string, string>, year: string | number | undefined): string {
  return `${year}-${String(months.indexOf(name) + 1).padStart(2, '0')}-${day.trim().padStart(2, '0')}`;
}

function instantOf(date: string, time: string, zone = 'Z'): string | undefined {
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const instant = new Date(`${date}T${time}${offset}`);
  if (Number.isNaN(instant.getTime()) || instant < earliest || instant >= latest) return undefined;
  // 31 February would become a day in March.
  if (zone === 'Z' && instant.toISOString().slice(0, 10) !== date) return undefined;
  return instant.toISOString();
}
