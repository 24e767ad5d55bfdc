import { CronExpressionParser } from 'cron-parser';
import { Temporal } from 'temporal-polyfill';
import { day, minute } from '../durations.ts';

/** The shortest time between two runs of an expression. */
const minRunGap = 10 * minute;

const maxLength = 100;
/** A fifth weekday of a month can be decades away. */
const fieldPattern = /^(?:[\dA-Za-z*,/?-]|#[1-4])+$/;
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
export function nextRuns({ cron, timezone }: CronSchedule, after: Date, count: number): Date[] {
  const timeZone = canonicalZone(timezone);
  const now = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime();
  // The library counts in UTC, where no clock changes. A run of the day before can be moved past
  // midnight.
  const currentDate = epochOf(now.subtract({ days: 1 }));
  const localTimes = CronExpressionParser.parse(cron, { currentDate, tz: 'UTC' });
  const runs = new Set<number>();
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    const time = localTimes.next().getTime();
    // Until a day after the last run, which can be moved behind the first ones of that day.
    if (time > last + day)
      return [...runs]
        .sort((one, other) => one - other)
        .slice(0, count)
        .map((run) => new Date(run));
    const local = Temporal.PlainDateTime.from(new Date(time).toISOString().slice(0, -1));
    const run = local.toZonedDateTime(timeZone).epochMilliseconds;
    if (run > after.getTime()) runs.add(run);
    if (runs.size >= count) last = Math.min(last, time);
  }
}

/** A local time, read as UTC. */
const epochOf = (local: Temporal.PlainDateTime) => local.toZonedDateTime('UTC').epochMilliseconds;
