// Usage summed by month. Tiers and free amounts apply to months, so this is enough for every cost
// that is not asked for by hour or day, however many hours a scenario has.
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { divides, epochPeriod, monthSpan, type Period, startOfMonth } from '../usage/periods.ts';
import {
  addUsage,
  emptyUsage,
  type HourUsage,
  hasUsage,
  lastHourOf,
  type ReadDays,
  type Span,
  sortLists,
  type UsageSum,
} from '../usage/usage.ts';
import type { PipelineSums } from './pipeline/pipeline-sums.ts';
import { type ScenarioCost, ScenarioPricer, type ScenarioPricing } from './scenario-cost.ts';

export interface MonthUsage extends HourUsage {
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
export function monthsInPeriod({ months, period }: MonthlyUsage): MonthUsage[] {
  const { from } = epochPeriod(period);
  return months.filter(({ hour }) => hour.getTime() >= from);
}

/** The months of hours that are added in order of time, from the start of a month on. */
export class Months<Month> {
  readonly #period: { from: number; to: number };
  readonly #create: (firstHour: number) => Month;
  readonly #months: Month[] = [];
  #current: Month | undefined;
  /** Where the current month ends, or the part of it before the period. */
  #end = -Infinity;
  #firstHour: Date | null = null;
  #lastHour: Date | null = null;

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
    const { from, to } = this.#period;
    if (start >= to) return undefined;
    if (start >= this.#end) {
      const { end } = monthSpan(startOfMonth(new Date(start)));
      this.#end = start < from ? Math.min(from, end) : end;
      this.#current = this.#create(start);
      this.#months.push(this.#current);
    }
    return this.#current;
  }

  /** The month of an hour with entries, or of the sum of such hours. */
  atEntries(part: HourUsage | UsageSum): Month | undefined {
    const start = part.hour.getTime();
    const month = this.at(start);
    if (month !== undefined && start >= this.#period.from) {
      this.#firstHour ??= part.hour;
      this.#lastHour = lastHourOf(part);
    }
    return month;
  }

  /** The months, and the first and the last hour with entries in the period. */
  finish(): Pick<MonthlyUsage, 'firstHour' | 'lastHour'> & { months: readonly Month[] } {
    return { months: this.#months, firstHour: this.#firstHour, lastHour: this.#lastHour };
  }
}

/** Sums hours by month. They are added in order of time, from the start of a month on. */
export class MonthSums {
  readonly #period: Period;
  readonly #months: Months<HourUsage>;

  constructor(period: Period) {
    this.#period = period;
    this.#months = new Months(period, (start) => ({ hour: new Date(start), ...emptyUsage() }));
  }

  /** The hour is not changed. Hours after the period are ignored. */
  add(hour: HourUsage | UsageSum): void {
    if (!hasUsage(hour)) return;
    const sum = hour.logs > 0n ? this.#months.atEntries(hour) : this.#months.at(hour.hour.getTime());
    if (sum) addUsage(sum, hour);
  }

  finish(): MonthlyUsage {
    const { months, ...hours } = this.#months.finish();
    for (const month of months) sortLists(month);
    return { period: this.#period, months: [...months], ...hours };
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

export type MonthsCost = Omit<ScenarioCost, 'period'>;

/** Prices months: the same sums as a `ScenarioPricer` has for their hours. */
export async function priceMonths(
  { months, period }: Pick<MonthlyUsage, 'months' | 'period'>,
  pricing: Omit<ScenarioPricing, 'from' | 'to'>,
): Promise<MonthsCost> {
  const pricer = new ScenarioPricer({ ...pricing, ...period }, 'day');
  for (const month of months) {
    if (isSliceOver()) await nextSlice();
    pricer.add(month);
  }
  const { period: _, ...cost } = pricer.finish();
  return cost;
}
