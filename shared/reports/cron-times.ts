import { CronExpressionParser } from 'cron-parser';
import { day, minute } from '../durations.ts';
import { nextSlice } from '../process/time-slices.ts';

/** The times of cron expressions, by the library that BullMQ uses. */

/** The shortest time between two runs of an expression. */
const minRunGap = 10 * minute;

const maxLength = 100;
/** A fifth weekday of a month can be decades away; a search for it would last seconds. */
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

/**
 * The next runs of a valid cron expression after a time, in ascending order. A local time that the
 * clock skips in spring runs at the same distance from midnight, one that it repeats in autumn runs
 * once.
 */
export async function nextRuns(
  { cron, timezone }: { cron: string; timezone: string },
  after: Date,
  count: number,
): Promise<Date[]> {
  const expression = CronExpressionParser.parse(cron, { currentDate: after, tz: timezone });
  const runs: Date[] = [];
  while (runs.length < count) {
    // A run on 29 February takes 30 ms to find.
    await nextSlice();
    runs.push(expression.next().toDate());
  }
  return runs;
}
