import { day } from '../../durations.ts';

/** Local times of a zone as instants; both in milliseconds, local ones as if they were UTC. */
export interface TimeZone {
  toInstant(local: number): number;
}

export const utc: TimeZone = { toInstant: (local) => local };

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

  /** A time that clocks show twice is the first one; one that they skip has the old offset. */
  toInstant(local: number): number {
    const number = Math.floor(local / day);
    const before = this.#offsetOfDay(number - 1);
    const after = this.#offsetOfDay(number + 2);
    if (before === after || this.#offsetAt(local - before) === before) return local - before;
    return this.#offsetAt(local - after) === after ? local - after : local - before;
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
