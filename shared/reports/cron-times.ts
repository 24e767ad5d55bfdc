import { CronExpressionParser, type CronFieldCollection } from 'cron-parser';
import { Temporal } from 'temporal-polyfill';
import { day, minute } from '../durations.ts';

/** The times of cron expressions. A library reads the fields; days are walked by the calendar. */

/** The shortest time between two runs of an expression. */
const minRunGap = 10 * minute;

const maxLength = 100;
/** A fifth weekday of a month can be decades away, beyond the days that a search walks. */
const fieldPattern = /^(?:[\dA-Za-z*,/?-]|#[1-4])+$/;
/**
 * The most days that are walked for a run. Only days of an expression's months are walked: 29
 * February comes within nine of them, every other day within a year.
 */
export const maxDaysPerRun = 366;
const longestDay = { 2: 29, 4: 30, 6: 30, 9: 30, 11: 30 } as Readonly<Record<number, number>>;

/**
 * @returns what is wrong with a cron expression of five fields, or six with seconds; undefined if
 * nothing is.
 */
export function findCronError(cron: string): string | undefined {
  const texts = cron.trim().split(/\s+/);
  if (cron.length > maxLength || (texts.length !== 5 && texts.length !== 6)) {
    return 'must be a cron expression of five fields (minute, hour, day, month, weekday), or six with seconds first';
  }
  // H is a random value.
  if (!texts.every((text) => fieldPattern.test(text) && !text.toUpperCase().replaceAll('THU', '').includes('H'))) {
    return 'must be a cron expression of numbers, names of months and weekdays, and * , - / ? L #';
  }
  let fields: ReturnType<typeof CronExpressionParser.parse>['fields'];
  try {
    ({ fields } = CronExpressionParser.parse(cron));
  } catch (error) {
    return `is not a cron expression: ${(error as Error).message}`;
  }
  const { second, minute: minutes, hour, dayOfMonth, month, dayOfWeek } = fields;
  const isPossible =
    !dayOfWeek.isWildcard ||
    dayOfMonth.values.some(
      (date) => typeof date !== 'number' || month.values.some((number) => date <= (longestDay[number] ?? 31)),
    );
  if (!isPossible) return 'names a day that does not exist in any of its months';
  const times = hour.values.flatMap((hours) => minutes.values.map((value) => (hours * 60 + value) * minute));
  if (second.values.length > 1 || shortestGap(times) < minRunGap) {
    return 'must not run more often than every 10 minutes';
  }
  return undefined;
}

/**
 * The shortest gap between ascending times of a day, in milliseconds, also from the last one to the
 * first of the next day.
 */
function shortestGap(times: readonly number[]): number {
  const [first = 0] = times;
  return times.reduce((shortest, time, index) => Math.min(shortest, (times[index + 1] ?? first + day) - time), day);
}

/** Whether a text is the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  // Names begin with a letter; some versions of Node.js accept offsets too.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const knownZones = new Map<string, string>();

/** The name under which Temporal knows a zone: Node.js accepts others too, such as `PST`. */
function canonicalZone(name: string): string {
  const known = knownZones.get(name) ?? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  // Only valid names are resolved, so there are some hundred.
  knownZones.set(name, known);
  return known;
}

/** A valid cron expression, and the IANA name of its time zone. */
interface CronSchedule {
  cron: string;
  timezone: string;
}

/**
 * The next runs after a time, in ascending order. Each local time of a scheduled day has one run:
 * if the clock skips it, later by as much as the clock skips; if the clock repeats it, the first
 * time. Local times that this makes equal have one run.
 */
export const nextRuns = (schedule: CronSchedule, after: Date, count: number): Date[] =>
  findRuns(schedule, after, count).runs;

/** `nextRuns`, with the number of days that were walked: at most `maxDaysPerRun` for each run. */
export function findRuns(
  { cron, timezone }: CronSchedule,
  after: Date,
  count: number,
): { runs: Date[]; daysWalked: number } {
  const { fields } = CronExpressionParser.parse(cron);
  const timeZone = canonicalZone(timezone);
  const times = localTimes(fields);
  const found = new Set<number>();
  // A run of the day before can be moved past midnight.
  let date = Temporal.Instant.fromEpochMilliseconds(after.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .subtract({ days: 1 });
  let daysWalked = 0;
  for (let isEnough = count < 1; !isEnough && daysWalked < maxDaysPerRun * count; daysWalked += 1) {
    date = inMonths(date, fields);
    // The day after the last run is walked too: that run can be moved behind the first ones of the
    // day.
    isEnough = found.size >= count;
    if (isScheduled(date, fields)) {
      for (const time of times) {
        const run = date.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
        if (run > after.getTime()) found.add(run);
      }
    }
    date = date.add({ days: 1 });
  }
  const runs = [...found].sort((one, other) => one - other).slice(0, count);
  return { runs: runs.map((run) => new Date(run)), daysWalked };
}

function localTimes({ hour, minute: minutes, second }: CronFieldCollection): Temporal.PlainTime[] {
  return hour.values.flatMap((hours) =>
    minutes.values.flatMap((value) => second.values.map((seconds) => new Temporal.PlainTime(hours, value, seconds))),
  );
}

/** The date, or the first one of the next month that the fields name. */
function inMonths(date: Temporal.PlainDate, { month }: CronFieldCollection): Temporal.PlainDate {
  const isNamed = (number: number) => month.values.some((value) => value === number);
  let named = date;
  while (!isNamed(named.month)) named = named.with({ day: 1 }).add({ months: 1 });
  return named;
}

/** Whether a date of the expression's months is one of its days. */
function isScheduled(
  { day: date, dayOfWeek: weekday, daysInMonth }: Temporal.PlainDate,
  { dayOfMonth, dayOfWeek }: CronFieldCollection,
): boolean {
  const isDate = dayOfMonth.values.some((value) => (typeof value === 'number' ? value : daysInMonth) === date);
  const isWeekday = dayOfWeek.values.some((value) =>
    typeof value === 'number'
      ? value % 7 === weekday % 7 && (dayOfWeek.nthDay === 0 || Math.ceil(date / 7) === dayOfWeek.nthDay)
      : Number.parseInt(value, 10) % 7 === weekday % 7 && date > daysInMonth - 7,
  );
  // If both fields are limited, one is enough.
  if (dayOfMonth.isWildcard || dayOfWeek.isWildcard) {
    return (dayOfMonth.isWildcard || isDate) && (dayOfWeek.isWildcard || isWeekday);
  }
  return isDate || isWeekday;
}
