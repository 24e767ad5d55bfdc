import { day, minute } from '../../durations.ts';

/**
 * The instant of a local time of a zone, and the second one if clocks show the time twice; all in
 * milliseconds, local times as if they were UTC. A time that clocks skip has the old offset.
 */
export type TimeZone = (local: number) => { first: number; second?: number };

export const utc: TimeZone = (local) => ({ first: local });

/** @returns null if the name is not one of the IANA database. */
export function openTimeZone(name: string): TimeZone | null {
  if (name === 'UTC') return utc;
  // Some engines take offsets such as +02:00 as names.
  if (!/^[a-z]/i.test(name)) return null;
  try {
    return namedZone(name);
  } catch {
    return null;
  }
}

function namedZone(timeZone: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (instant: number) => {
    const [offset = 'Z'] = /[+-]\d\d:\d\d$/.exec(format.format(instant)) ?? [];
    return -Date.parse(`1970-01-01T00:00${offset}`);
  };
  /** By the number of the day, in milliseconds, at its start in UTC. */
  const offsets = new Map<number, number>();
  const offsetOfDay = (number: number) => {
    const offset = offsets.get(number) ?? offsetAt(number * day);
    offsets.set(number, offset);
    return offset;
  };
  return (local) => {
    const number = Math.floor(local / day);
    // A change of clocks that can be next to the time is between these.
    const [before, after] = [offsetOfDay(number - 1), offsetOfDay(number + 2)];
    if (before === after) return { first: local - before };
    const [first, second] = [local - before, local - after];
    if (offsetAt(second) !== after) return { first };
    if (offsetAt(first) !== before) return { first: second };
    return before > after ? { first, second } : { first };
  };
}

/** A step back by more begins the second pass of an hour that clocks show twice. */
const maxDisorder = 30 * minute;
/** A line of the first pass can be written so much after the second one has begun. */
const maxDelay = 2 * minute;

/** Tells the passes of a repeated hour apart, by the order of lines; a lone one is the first. */
export class RepeatedHour {
  /** The latest instant, unless a line steps back by more than lines are out of order. */
  #last: number | undefined;
  #isSecondPass = false;

  /** @param first the instant in the first pass. @param second in the second one. */
  choose(first: number, second: number): number {
    const stepBack = (this.#last ?? first) - first;
    // Clocks of Lord Howe Island go back by 30 minutes.
    const isWithinPass = stepBack <= Math.min(maxDisorder, (second - first) / 2);
    if (this.#isSecondPass) return stepBack > 0 && stepBack <= maxDelay ? first : second;
    // Long after the hour, lines in it are those of another file.
    const isAfterHour = (this.#last ?? first) - second > maxDisorder;
    return isWithinPass || isAfterHour ? first : second;
  }

  /** @param second the instant that a line in the hour would have in the second pass. */
  add(instant: number, second?: number): void {
    const isDelayed = this.#isSecondPass && second !== undefined && instant !== second;
    if (!isDelayed) this.#isSecondPass = instant === second;
    if (this.#last === undefined || instant > this.#last || instant < this.#last - maxDisorder) this.#last = instant;
  }
}
