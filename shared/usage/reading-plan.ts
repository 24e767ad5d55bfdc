// In which steps the stored usage of a scenario is read.
import { hour } from '../durations.ts';
import { daySpan, divides, monthSpan, type Period, startOfMonth } from './periods.ts';
import type { HourUsage, ReadDays, Span, UsageSum } from './usage.ts';
import {
  daysPerQuery,
  daysWithLevelsPerQuery,
  type HourOptions,
  type ListedUsage,
  sumsPerQuery,
} from './usage-ledger.ts';
import type { DayPointer } from './usage-year.model.ts';

export type DetailOf = Parameters<ReadDays>[0];

/** The hours of a day, or one sum of them; or the sum of a month. */
export type UsageParts = readonly (HourUsage | UsageSum)[];

export interface StoredUsage extends Span {
  usage: UsageParts;
}

/** Days that are read together: by hour, or by their sums. */
export interface DayGroup {
  pointers: readonly DayPointer[];
  byHour: boolean;
}

/** The usage up to the day at the position `next`. */
type Step = { next: number } & ({ month: StoredUsage } | DayGroup);

/**
 * Reads a month by its sum where that is enough, and as many other days together as a query can
 * have. Whether a sum is enough depends on the days that were read before, so each step is
 * determined when it is reached. With levels, every day is read by its hours, and a step can be
 * determined one step earlier.
 */
export class ReadingPlan {
  readonly #days: readonly DayPointer[];
  readonly #months: ReadonlyMap<number, UsageSum>;
  readonly #period: Period;
  readonly #detailOf: DetailOf;
  readonly #daysPerStep: number;

  /** @param listed the days in the period, and the sums of months. */
  constructor({ days, months }: ListedUsage, period: Period, detailOf: DetailOf, { withLevels }: HourOptions) {
    this.#days = days;
    this.#months = months;
    this.#period = period;
    this.#detailOf = detailOf;
    this.#daysPerStep = withLevels ? daysWithLevelsPerQuery : daysPerQuery;
  }

  /** The step from the day at this position on. */
  stepAt(position: number): Step {
    const first = this.#firstAt(position);
    const month = this.#monthAt(position, first);
    if (month) {
      let next = position + 1;
      while (next < this.#days.length && this.#dayAt(next) < month.end) next += 1;
      return { month, next };
    }
    const byHour = this.#needsHours(position, first);
    const last = Math.min(this.#days.length, position + (byHour ? this.#daysPerStep : sumsPerQuery));
    let next = position + 1;
    while (next < last && this.#needsHours(next, first) === byHour && !this.#monthAt(next, first)) next += 1;
    return { pointers: this.#days.slice(position, next), byHour, next };
  }

  /**
   * The first, concurrent reads: the days of the first step, and the last `held` days without those
   * that are read as months. How these are read is not final.
   */
  openingReads(held: number): DayGroup[] {
    if (this.#days.length === 0) return [];
    const step = this.stepAt(0);
    const first = this.#firstAt(0);
    const latest: Record<'hours' | 'sums', DayPointer[]> = { hours: [], sums: [] };
    for (let position = Math.max(step.next, this.#days.length - held); position < this.#days.length; position += 1) {
      const pointer = this.#days[position];
      if (!pointer || this.#monthOf(pointer.day, first)) continue;
      latest[this.#needsHours(position, first) ? 'hours' : 'sums'].push(pointer);
    }
    return [
      ...('month' in step ? [] : [step]),
      { pointers: latest.hours, byHour: true },
      { pointers: latest.sums, byHour: false },
    ];
  }

  /** Where the next entries are, as exactly as is known. */
  #firstAt(position: number): Span {
    const start = this.#dayAt(position);
    const sum = this.#beginsMonth(position) ? this.#months.get(monthOf(start)) : undefined;
    const time = sum?.hour.getTime();
    return time === undefined ? daySpan(start) : { start: time, end: time + hour };
  }

  /** The month that begins with the day at this position, if its sum is enough. */
  #monthAt(position: number, first: Span): StoredUsage | undefined {
    return this.#beginsMonth(position) ? this.#monthOf(this.#dayAt(position), first) : undefined;
  }

  #monthOf(day: number, first: Span): StoredUsage | undefined {
    const span = monthSpan(monthOf(day));
    const sum = this.#months.get(span.start);
    if (!sum || divides(this.#period, span) || this.#detailOf(span, first) !== 'month') return undefined;
    return { ...span, usage: [sum] };
  }

  #beginsMonth(position: number): boolean {
    return position === 0 || this.#dayAt(position - 1) < monthOf(this.#dayAt(position));
  }

  #needsHours(position: number, first: Span): boolean {
    const span = daySpan(this.#dayAt(position));
    return divides(this.#period, span) || this.#detailOf(span, first) === 'hours';
  }

  #dayAt(position: number): number {
    return this.#days[position]?.day ?? 0;
  }
}

const monthOf = (day: number) => startOfMonth(new Date(day));
