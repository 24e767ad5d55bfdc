import { day, minute } from '../../durations.ts';

/** Local times of a zone as instants; both in milliseconds, local ones as if they were UTC. */
export interface TimeZone {
  /** A time that clocks show twice is the first one; one that they skip has the old offset. */
  toInstant(local: number): number;
  /** The second instant of a time that clocks show twice; undefined for any other. */
  toSecondInstant(local: number): number | undefined;
}

export const utc: TimeZone = { toInstant: (local) => local, toSecondInstant: () => undefined };

/** @returns null if the name is not one of the IANA database. */
export function openTimeZone(name: string): TimeZone | null {
  if (name === 'UTC') return utc;
  // Some engines take offsets such as +02:00 as names.
  if (!/^[a-z]/i.test(name)) return null;
  try {
    return new NamedZone(name);
  } catch {
    return null;
  }
}

class NamedZone implements TimeZone {
  readonly #format: Intl.DateTimeFormat;
  /** By the number of the day, in milliseconds, at its start in UTC. */
  readonly #offsets = new Map<number, number>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  toInstant(local: number): number {
    const [before, after] = this.#offsetsAround(local);
    if (before === after || this.#offsetAt(local - before) === before) return local - before;
    return this.#offsetAt(local - after) === after ? local - after : local - before;
  }

  toSecondInstant(local: number): number | undefined {
    const [before, after] = this.#offsetsAround(local);
    if (before <= after || this.#offsetAt(local - before) !== before) return undefined;
    return this.#offsetAt(local - after) === after ? local - after : undefined;
  }

  /** The offsets before and after the change of clocks that can be next to a time. */
  #offsetsAround(local: number): [before: number, after: number] {
    const number = Math.floor(local / day);
    return [this.#offsetOfDay(number - 1), this.#offsetOfDay(number + 2)];
  }

  #offsetOfDay(number: number): number {
    let offset = this.#offsets.get(number);
    if (offset === undefined) {
      offset = this.#offsetAt(number * day);
      this.#offsets.set(number, offset);
    }
    return offset;
  }

  #offsetAt(instant: number): number {
    const parts = this.#format.formatToParts(instant);
    const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return local - Math.floor(instant / 1000) * 1000;
  }
}

/** A step back by more begins the second pass of an hour that clocks show twice. */
const maxDisorder = 30 * minute;
/** A line of the first pass can be written so much after the second one has begun. */
const maxDelay = 2 * minute;

/**
 * Tells the two passes of an hour that clocks show twice apart, by the order of the lines. An hour
 * of which only one pass is read is the first one.
 */
export class RepeatedHour {
  /** The latest instant, unless a line steps back by more than lines are out of order. */
  #last: number | undefined;
  #isSecondPass = false;

  /**
   * @param first the instant of a line if it is of the first pass, in milliseconds.
   * @param second the same for the second pass.
   */
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
  add(instant: number, second: number | undefined): void {
    const isDelayed = this.#isSecondPass && second !== undefined && instant !== second;
    if (!isDelayed) this.#isSecondPass = instant === second;
    if (this.#last === undefined || instant > this.#last || instant < this.#last - maxDisorder) this.#last = instant;
  }
}
