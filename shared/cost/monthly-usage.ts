// Usage summed by month. Tiers and free amounts apply to months, so this is enough for every cost
// that is not asked for by hour or day, however many hours a scenario has.
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { divides, epochPeriod, monthSpan, type Period, startOfMonth } from '../usage/periods.ts';
import {
  addUsage,
  emptyUsage,
  type HourUsage,
  lastHourOf,
  type ReadDays,
  type Span,
  sortLists,
  type UsageSum,
} from '../usage/usage.ts';
import type { PipelineSums } from './pipeline/pipeline-sums.ts';
import type { ChargeLine } from './price-month.ts';
import { type ScenarioCost, ScenarioPricer, type ScenarioPricing } from './scenario-cost.ts';

interface MonthUsage extends HourUsage {
  /** The work of which the usage of a pipeline consists. */
  pipeline?: PipelineSums;
}

export interface MonthlyUsage {
  /** The requested period. */
  period: Period;
  /**
   * One record per month, at its first hour with usage; two for a month that `period.from`
   * divides.
   */
  months: MonthUsage[];
  /** The first and the last hour with entries in the period; null without entries. */
  firstHour: Date | null;
  lastHour: Date | null;
}

/** The months without the part of one that is before the period. */
export function monthsInPeriod({ months, period }: Pick<MonthlyUsage, 'months' | 'period'>): MonthUsage[] {
  const { from } = epochPeriod(period);
  return months.filter(({ hour }) => hour.getTime() >= from);
}

/**
 * The months of hours that are added in order of time, from the start of a month on: two for a
 * month that `period.from` divides.
 */
export class Months<Month> {
  readonly list: Month[] = [];
  readonly #period: { from: number; to: number };
  readonly #create: (firstHour: number) => Month;
  /** Where the last month ends. */
  #end = -Infinity;

  constructor(period: Period, create: (firstHour: number) => Month) {
    this.#period = epochPeriod(period);
    this.#create = create;
  }

  /**
   * The month of an hour.
   * @param start of the hour, in epoch milliseconds.
   * @returns undefined after the period.
   */
  at(start: number): Month | undefined {
    if (start >= this.#period.to) return undefined;
    if (start >= this.#end) {
      this.#end = this.#endOf(start);
      this.list.push(this.#create(start));
    }
    return this.list.at(-1);
  }

  /** Whether two hours are of the same month, and of the same part of it. */
  isSame(start: number, other: number): boolean {
    return this.#endOf(start) === this.#endOf(other);
  }

  #endOf(start: number): number {
    const { from } = this.#period;
    const { end } = monthSpan(startOfMonth(new Date(start)));
    return start < from ? Math.min(from, end) : end;
  }
}

/** Sums hours by month. They are added in order of time, from the start of a month on. */
export class MonthSums {
  readonly #period: Period;
  readonly #months: Months<HourUsage>;
  readonly #from: number;
  #firstHour: Date | null = null;
  #lastHour: Date | null = null;

  constructor(period: Period) {
    this.#period = period;
    this.#from = epochPeriod(period).from;
    this.#months = new Months(period, (start) => ({ hour: new Date(start), ...emptyUsage() }));
  }

  /** The hour is not changed. Hours after the period are ignored. */
  add(hour: HourUsage | UsageSum): void {
    const month = hour.logs > 0n ? this.#months.at(hour.hour.getTime()) : undefined;
    if (month === undefined) return;
    if (hour.hour.getTime() >= this.#from) {
      this.#firstHour ??= hour.hour;
      this.#lastHour = lastHourOf(hour);
    }
    addUsage(month, hour);
  }

  finish(): MonthlyUsage {
    const months = this.#months.list;
    for (const month of months) sortLists(month);
    return { period: this.#period, months, firstHour: this.#firstHour, lastHour: this.#lastHour };
  }
}

/**
 * @param readDays the hours in order of time, from the start of the month of `period.from`
 * (`usageNeededFor`).
 */
export async function sumMonths(readDays: ReadDays, period: Period = {}): Promise<MonthlyUsage> {
  const sums = new MonthSums(period);
  for await (const hours of readDays(detailOfMonths(period))) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      sums.add(hour);
    }
  }
  return sums.finish();
}

/** Months are enough where the period neither begins nor ends. */
export const detailOfMonths = (period: Period) => (span: Span) => (divides(period, span) ? 'hours' : 'month');

export interface MonthsCost extends Omit<ScenarioCost, 'period'> {
  /** The lines of each month in the period, of which the cost is the sum. */
  months: { month: number; lines: readonly ChargeLine[] }[];
}

/** Prices months: the same sums as a `ScenarioPricer` has for their hours. */
export async function priceMonths(
  { months, period }: Pick<MonthlyUsage, 'months' | 'period'>,
  pricing: Omit<ScenarioPricing, 'from' | 'to'>,
): Promise<MonthsCost> {
  const priced: MonthsCost['months'] = [];
  const pricer = new ScenarioPricer({ ...pricing, ...period }, 'day', ({ start, lines }) =>
    priced.push({ month: startOfMonth(new Date(start)), lines }),
  );
  for (const month of months) {
    if (isSliceOver()) await nextSlice();
    pricer.add(month);
  }
  const { period: _, ...cost } = pricer.finish();
  return { ...cost, months: priced };
}
