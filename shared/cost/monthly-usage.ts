// Usage summed by month. Tiers and free amounts apply to months, so this is enough for every cost
// that is not asked for by hour or day, however many hours a scenario has.
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { divides, epochPeriod, monthSpan, type Period, startOfMonth } from '../usage/periods.ts';
import type { UsageDeps } from '../usage/read-usage.ts';
import {
  addUsage,
  emptyUsage,
  type HourUsage,
  hasUsage,
  lastHourOf,
  type ReadDays,
  type Span,
  sortLists,
  type UsageCounters,
  type UsageSum,
} from '../usage/usage.ts';
import { addWork, noWork, type PipelineWork } from './pipeline/pipeline-work.ts';
import type { ChargeLine } from './price-month.ts';
import { type PipelineUsage, readScenarioUsage } from './read-scenario-usage.ts';
import { type ScenarioCost, ScenarioPricer, type ScenarioPricing } from './scenario-cost.ts';

/** @param work of the pipeline whose usage it is. */
type MonthUsage = UsageSum & { work?: PipelineWork };

export interface MonthlyUsage {
  /** The requested period. */
  period: Period;
  /** One record per month; two for a month that `period.from` divides. */
  months: MonthUsage[];
}

/** Sums hours by month. They are added in order of time, from the start of a month on. */
export class MonthSums {
  readonly #period: Period;
  readonly #months: MonthUsage[] = [];
  /** Where the last month ends. */
  #end = -Infinity;

  constructor(period: Period) {
    this.#period = period;
  }

  /** The hour is not changed. Hours after the period are ignored. */
  add(hour: HourUsage | UsageSum | PipelineUsage): void {
    const start = hour.hour.getTime();
    const { from, to } = epochPeriod(this.#period);
    if (!hasUsage(hour) || start >= to) return;
    if (start >= this.#end) {
      const { end } = monthSpan(startOfMonth(hour.hour));
      this.#end = start < from ? Math.min(from, end) : end;
      this.#months.push({
        ...emptyUsage(),
        hour: hour.hour,
        last: hour.hour,
        ...('work' in hour && { work: noWork() }),
      });
    }
    const month = this.#months.at(-1) as MonthUsage;
    addUsage(month, hour);
    month.last = lastHourOf(hour);
    if (month.work && 'work' in hour) addWork(month.work, hour.work);
  }

  finish(): MonthlyUsage {
    for (const month of this.#months) sortLists(month);
    return { period: this.#period, months: this.#months };
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

/** Reads the usage of a scenario by month. */
export const readMonths = (deps: UsageDeps, scenarioId: string, pricing: ScenarioPricing): Promise<MonthlyUsage> =>
  readScenarioUsage(deps, scenarioId, pricing, (readDays) =>
    sumMonths(readDays, { from: pricing.from, to: pricing.to }),
  );

interface MonthCost {
  /** Its start, in epoch milliseconds. */
  month: number;
  usage: UsageCounters;
  work?: PipelineWork;
  lines: readonly ChargeLine[];
}

export interface MonthsCost extends ScenarioCost {
  /** Each month in the period. The cost is the sum of their lines. */
  months: MonthCost[];
}

/** Prices months: the same sums as a `ScenarioPricer` has for their hours. */
export async function priceMonths(
  { months, period }: MonthlyUsage,
  pricing: Omit<ScenarioPricing, 'from' | 'to'>,
): Promise<MonthsCost> {
  const { from } = epochPeriod(period);
  const works = months.filter(({ hour }) => hour.getTime() >= from).map(({ work }) => work);
  const priced: MonthCost[] = [];
  const pricer = new ScenarioPricer(
    { ...pricing, from: period.from, to: period.to },
    'day',
    ({ start, usage, lines }) => {
      const work = works[priced.length];
      priced.push({ month: startOfMonth(new Date(start)), usage, lines, ...(work && { work }) });
    },
  );
  for (const month of months) {
    if (isSliceOver()) await nextSlice();
    pricer.add(month);
  }
  return { ...pricer.finish(), months: priced };
}

/** Prices the usage of a month that has no date. */
export function priceMonth(usage: UsageCounters, pricing: Omit<ScenarioPricing, 'from' | 'to'>): Promise<MonthsCost> {
  const start = new Date(0);
  return priceMonths({ months: [{ ...usage, hour: start, last: start }], period: {} }, pricing);
}
