// Usage summed by month. Tiers and free amounts apply to months, so this is enough for every cost
// that is not asked for by hour or day, however many hours a scenario has.
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { divides, epochPeriod, type Period, startOfMonth } from '../usage/periods.ts';
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
import { type ScenarioCost, ScenarioPricer, type ScenarioPricing } from './scenario-cost.ts';

export interface MonthlyUsage {
  /** The requested period. */
  period: Period;
  /**
   * One record per month, at its first hour with usage; two for a month that `period.from`
   * divides.
   */
  months: HourUsage[];
  /** The first and the last hour with entries in the period; null without entries. */
  firstHour: Date | null;
  lastHour: Date | null;
}

/** Sums hours by month. They are added in order of time, from the start of a month on. */
export class MonthSums {
  readonly #period: Period;
  readonly #bounds: { from: number; to: number };
  readonly #months: HourUsage[] = [];
  #month = Number.NaN;
  #isInPeriod = false;
  #firstHour: Date | null = null;
  #lastHour: Date | null = null;

  constructor(period: Period) {
    this.#period = period;
    this.#bounds = epochPeriod(period);
  }

  /** The hour is not changed. Hours after the period are ignored. */
  add(hour: HourUsage | UsageSum): void {
    const start = hour.hour.getTime();
    if (!hasUsage(hour) || start >= this.#bounds.to) return;
    const month = startOfMonth(hour.hour);
    const isInPeriod = start >= this.#bounds.from;
    if (month !== this.#month || isInPeriod !== this.#isInPeriod) {
      this.#months.push({ hour: hour.hour, ...emptyUsage() });
    }
    this.#month = month;
    this.#isInPeriod = isInPeriod;
    if (isInPeriod && hour.logs > 0n) {
      this.#firstHour ??= hour.hour;
      this.#lastHour = lastHourOf(hour);
    }
    const sum = this.#months.at(-1);
    if (sum) addUsage(sum, hour);
  }

  finish(): MonthlyUsage {
    for (const month of this.#months) sortLists(month);
    return { period: this.#period, months: this.#months, firstHour: this.#firstHour, lastHour: this.#lastHour };
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
