// Usage summed by month. Tiers and free amounts apply to months, so this is enough for every cost
// that is not asked for by hour or day, however many hours a scenario has.
import { hour as hourMs } from '../durations.ts';
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
import type { DerivedHour } from './pipeline/derive-hour.ts';
import { PipelineSums } from './pipeline/pipeline-sums.ts';
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

/** Sums hours by month. They are added in order of time, from the start of a month on. */
export class MonthSums {
  readonly #period: Period;
  readonly #bounds: { from: number; to: number };
  readonly #months: MonthUsage[] = [];
  /** Where the last month ends. */
  #end = -Infinity;
  #firstHour: Date | null = null;
  #lastHour: Date | null = null;

  constructor(period: Period) {
    this.#period = period;
    this.#bounds = epochPeriod(period);
  }

  /**
   * The hour is not changed. Hours after the period are ignored.
   * @param work of the pipeline whose usage it is, in each hour of a sum.
   */
  add(hour: HourUsage | UsageSum, work?: DerivedHour): void {
    const start = hour.hour.getTime();
    const { from, to } = this.#bounds;
    if (!hasUsage(hour) || start >= to) return;
    if (start >= this.#end) {
      const { end } = monthSpan(startOfMonth(hour.hour));
      this.#end = start < from ? Math.min(from, end) : end;
      this.#months.push({ hour: hour.hour, ...emptyUsage(), ...(work && { pipeline: new PipelineSums() }) });
    }
    const month = this.#months.at(-1) as MonthUsage;
    addUsage(month, hour);
    const last = lastHourOf(hour);
    if (work) month.pipeline?.add(work, (last.getTime() - start) / hourMs + 1);
    if (hour.logs === 0n || start < from) return;
    this.#firstHour ??= hour.hour;
    this.#lastHour = last;
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
