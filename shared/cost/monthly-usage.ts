// Usage summed by month. Tiers and free amounts apply to months, so this is enough for every cost
// that is not asked for by hour or day, however many hours a scenario has.
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { divides, epochPeriod, type Period, startOfMonth } from '../usage/periods.ts';
import { addUsage, emptyUsage, type HourUsage, lastHourOf, type ReadDays, sortLists } from '../usage/usage.ts';
import { type ScenarioCost, ScenarioPricer, type ScenarioPricing } from './scenario-cost.ts';

export interface MonthlyUsage {
  /** The requested period. */
  period: Period;
  /**
   * One record per month, at its first hour with entries; two for a month that `period.from`
   * divides.
   */
  months: HourUsage[];
  /** The first and the last hour with entries in the period; null without entries. */
  firstHour: Date | null;
  lastHour: Date | null;
}

/**
 * @param readDays the hours in order of time, from the start of the month of `period.from`
 * (`usageNeededFor`).
 */
export async function sumMonths(readDays: ReadDays, period: Period = {}): Promise<MonthlyUsage> {
  const { from, to } = epochPeriod(period);
  const months: HourUsage[] = [];
  let currentMonth = Number.NaN;
  let firstHour: Date | null = null;
  let lastHour: Date | null = null;
  for await (const hours of readDays((span) => (divides(period, span) ? 'hours' : 'month'))) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      const start = hour.hour.getTime();
      if (hour.logs === 0n || start >= to) continue;
      const month = startOfMonth(hour.hour);
      const isFirstOfPeriod = start >= from && firstHour === null;
      if (month !== currentMonth || isFirstOfPeriod) months.push({ hour: hour.hour, ...emptyUsage() });
      currentMonth = month;
      if (start >= from) {
        firstHour ??= hour.hour;
        lastHour = lastHourOf(hour);
      }
      const sum = months.at(-1);
      if (sum) addUsage(sum, hour);
    }
  }
  for (const month of months) sortLists(month);
  return { period, months, firstHour, lastHour };
}

/** Prices months: the same sums as a `ScenarioPricer` has for their hours. */
export async function priceMonths(
  { months, period }: Pick<MonthlyUsage, 'months' | 'period'>,
  pricing: Omit<ScenarioPricing, 'from' | 'to'>,
): Promise<Pick<ScenarioCost, 'usage' | 'lines' | 'total'>> {
  const pricer = new ScenarioPricer({ ...pricing, ...period }, 'day');
  for (const month of months) {
    if (isSliceOver()) await nextSlice();
    pricer.add(month);
  }
  const { usage, lines, total } = pricer.finish();
  return { usage, lines, total };
}
