import { day } from '../../durations.ts';

/** A form in which programs write the time at the start of a line. */
interface TimeFormat {
  readonly programs: string;
  readonly example: string;
  /**
   * Each character matches itself, apart from these:
   *
   * - `y M d h m s`: a digit of the year, month, day, hour, minute or second
   * - `D H I S`: a day, hour, minute or second of one or two digits, also padded by a blank
   * - `N`: the name of a month, such as `Jun`
   * - `f`: a fraction of the second, if there is one
   * - `z`: a zone, if there is one
   * - `Y`: a blank and a year, if there is one
   * - `a`: AM or PM
   * - `~`: a `T`, a blank or an underscore
   * - `L`: the letter of a level of klog
   */
  readonly form: string;
  /** Whether it is numbers only, which mean another thing behind other words. */
  readonly isBare?: boolean;
}

/** Formats that begin alike: the longer one is first. */
export const timeFormats: readonly TimeFormat[] = [
  {
    programs: 'ISO 8601, RFC 5424, log4j, logback, Python, PostgreSQL, MySQL, MongoDB',
    example: '2026-05-01T12:00:00.123+02:00',
    form: 'yyyy-MM-dd~hh:mm:ssfz',
  },
  { programs: 'ISO 8601 without seconds', example: '2026-05-01 12:00', form: 'yyyy-MM-dd~hh:mmz' },
  { programs: 'Blue Gene', example: '2005-06-03-15.42.50.675872', form: 'yyyy-MM-dd-hh.mm.ssf' },
  { programs: 'Go, nginx', example: '2026/05/01 12:00:00', form: 'yyyy/MM/dd~hh:mm:ssfz' },
  { programs: 'ISO 8601, basic format', example: '20260501T120000Z', form: 'yyyyMMdd~hhmmssfz', isBare: true },
  { programs: 'applications', example: '20260501 12:00:00', form: 'yyyyMMdd~hh:mm:ssfz' },
  { programs: 'applications of Android', example: '20171223-22:15:29:606', form: 'yyyyMMdd-H:I:Sf' },
  { programs: 'Hadoop', example: '081109 203615', form: 'yyMMdd hhmmss', isBare: true },
  { programs: 'MySQL before 5.7', example: '260501  9:00:00', form: 'yyMMdd H:mm:ss' },
  { programs: 'Spark', example: '17/06/09 20:10:40', form: 'yy/MM/dd hh:mm:ssf' },
  { programs: 'Android', example: '03-17 16:13:38.811', form: 'MM-dd hh:mm:ssf' },
  { programs: 'Proxifier', example: '10.30 16:49:06', form: 'MM.dd hh:mm:ssf' },
  { programs: 'Common Log Format', example: '10/Oct/2000:13:55:36 -0700', form: 'D/N/yyyy:hh:mm:ssfz' },
  { programs: 'Tomcat, Oracle', example: '01-May-2026 12:00:00.123', form: 'D-N-yyyy hh:mm:ssfz' },
  { programs: 'Redis, log4j, e-mail', example: '01 May 2026 12:00:00.123', form: 'D N yyyy hh:mm:ssfz' },
  { programs: 'RFC 3164, Apache, ctime', example: 'Dec 04 04:47:44 2005', form: 'N D hh:mm:ssfzY' },
  { programs: 'java.util.logging', example: 'May 1, 2026 3:00:00 PM', form: 'N D, yyyy H:mm:ssfa' },
  { programs: 'Cisco', example: 'Jun 14 2026 15:16:01', form: 'N D yyyy hh:mm:ssfz' },
  { programs: 'klog', example: 'I0512 23:58:22.431545', form: 'LMMdd hh:mm:ssf' },
];

const monthNames: readonly string[] = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Minutes east of UTC. Names of several zones, such as IST, are left to the caller's zone. */
const zoneNames: ReadonlyMap<string, number> = new Map([
  ...['UTC', 'GMT', 'UT', 'WET'].map((name) => [name, 0] as const),
  ...['CET', 'WEST'].map((name) => [name, 60] as const),
  ...['CEST', 'EET'].map((name) => [name, 120] as const),
  ...['EEST', 'MSK'].map((name) => [name, 180] as const),
  ...['JST', 'KST'].map((name) => [name, 540] as const),
  // The names of RFC 2822.
  ['EDT', -240],
  ...['EST', 'CDT'].map((name) => [name, -300] as const),
  ...['CST', 'MDT'].map((name) => [name, -360] as const),
  ...['MST', 'PDT'].map((name) => [name, -420] as const),
  ['PST', -480],
]);

/** Earlier times are those of a clock that is not set. */
const earliestTime = Date.UTC(1990, 0, 1);
/** Clocks, and zones that are not named, can be ahead by so many milliseconds. */
const mostAhead = day;

/**
 * Whether an entry counts at this time: from 1990 to a day ahead of `now`, all in epoch
 * milliseconds. Any other time is that of a clock that was not set, so the entry counts at its
 * arrival.
 */
export const isPlausibleTime = (time: number, now: number): boolean => time >= earliestTime && time <= now + mostAhead;

/** The numbers of a time as a line writes it. */
export class WrittenTime {
  year: number | undefined;
  /** The last two digits of the year, where no others are written. */
  shortYear: number | undefined;
  /** 1 to 12. */
  month = 0;
  day = 0;
  hour = 0;
  /** Hours before the half of the day, where hours are those of a half. */
  halfDay: number | undefined;
  minute = 0;
  second = 0;
  ms = 0;
  /** Minutes east of UTC; undefined if the line names no zone. */
  offset: number | undefined;
}

const shortNumber = '([ \\t]\\d|\\d\\d?)';
const zone = `[+-](?:0\\d|1[0-3])(?::?\\d\\d)?(?!\\d)|[+-]14(?::?00)?(?!\\d)|(?:[Zz]|${[...zoneNames.keys()].join('|')})(?!\\w)`;

/** The pattern of each part of a form, and the number that its group has. */
type Part = readonly [pattern: string, name?: keyof WrittenTime, read?: (text: string) => number];

const parts: Readonly<Record<string, Part>> = {
  yyyy: ['(\\d{4})', 'year'],
  yy: ['(\\d\\d)', 'shortYear'],
  MM: ['(\\d\\d)', 'month'],
  N: [`(${monthNames.join('|')})`, 'month', (text) => monthNames.indexOf(text) + 1],
  dd: ['(\\d\\d)', 'day'],
  D: [shortNumber, 'day'],
  hh: ['(\\d\\d)', 'hour'],
  H: [shortNumber, 'hour'],
  mm: ['(\\d\\d)', 'minute'],
  I: [shortNumber, 'minute'],
  ss: ['(\\d\\d)', 'second'],
  S: [shortNumber, 'second'],
  f: ['(?:[.,:](\\d{1,12}))?', 'ms', (text) => Number(text.slice(0, 3).padEnd(3, '0'))],
  z: [`(?:[ \\t]?(${zone}))?`, 'offset', offsetOf],
  // ctime writes the year last.
  Y: ['(?:[ \\t](\\d{4})(?!\\w))?', 'year'],
  a: ['[ \\u00a0\\u202f]([AP])M', 'halfDay', (text) => (text === 'P' ? 12 : 0)],
  L: ['[IWEF]'],
  '~': ['[Tt _]'],
};

/** The characters that a form can begin with, or have behind its first digits. */
const firstCharacters: Readonly<Record<string, string>> = { N: 'JFMASOND', L: 'IWEF', '~': 'Tt _' };

/** A form of a time, compiled. Reading takes a bounded number of steps. */
export class TimeForm {
  /** The digits that it begins with, at least and at most; none if it begins with a letter. */
  readonly digits: readonly number[];
  /** The characters behind these digits, or the first ones. */
  readonly next: string;
  readonly isBare: boolean;
  readonly #pattern: RegExp;
  readonly #groups: (readonly [name: keyof WrittenTime, read: Part[2]])[] = [];

  constructor({ form, isBare = false }: TimeFormat) {
    const [begin = ''] = /^[yMdhmsD]*/.exec(form) ?? [];
    const behind = form.charAt(begin.length);
    this.digits = begin.includes('D') ? [1, 2] : [begin.length];
    this.next = firstCharacters[behind] ?? behind;
    this.isBare = isBare;
    let pattern = '';
    for (const part of form.match(/([yMdhms])\1*|./g) ?? []) {
      const [source, name, read] = parts[part] ?? [part.replace(/[.]/, '\\$&')];
      pattern += source;
      if (name) this.#groups.push([name, read]);
    }
    this.#pattern = new RegExp(`${pattern}(?!\\w|:\\d)`, 'y');
  }

  /** @returns undefined unless the form begins at `start` and ends where a word ends. */
  read(line: string, start: number): WrittenTime | undefined {
    this.#pattern.lastIndex = start;
    const found = this.#pattern.exec(line);
    if (!found) return undefined;
    const time = new WrittenTime();
    let at = 0;
    for (const [name, read] of this.#groups) {
      at += 1;
      const text = found[at];
      if (text !== undefined) time[name] = read ? read(text) : Number(text);
    }
    return time;
  }
}

function offsetOf(text: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  if (sign === undefined) return zoneNames.get(text) ?? 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
