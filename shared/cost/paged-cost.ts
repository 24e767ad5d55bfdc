import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { divides, type Interval, intervalLength, type Span } from '../usage/periods.ts';
import type { ReadDays, UsageDeps } from '../usage/read-usage.ts';
import { emptyUsage } from '../usage/stored-hour.ts';
import { presentServices, presentTotals } from './present-cost.ts';
import { CostSum } from './price-month.ts';
import { readScenarioUsage } from './read-scenario-usage.ts';
import { type CostBucket, createScenarioPricer, type ScenarioPricing } from './scenario-cost.ts';

/** The requested page of a period's buckets. */
export interface PageOptions {
  /** `next` of the previous page; absent for the first page. */
  cursor?: number | undefined;
  /** Maximum number of buckets on a page. */
  limit: number;
  /**
   * Absent: hours, or days if there are more than `maxHours` hours from the first to the last one
   * with entries.
   */
  interval?: Interval | undefined;
  maxHours: number;
}

/** The usage and the cost of all buckets without entries, which share them. */
const nothing = { usage: emptyUsage(), cost: new CostSum().cost() };

/**
 * One page of a series of buckets. A page contains the buckets without entries too, so its rows
 * have no gaps. A page without any entries is left out: two entries a century apart are two pages.
 * @param length length of a bucket, in milliseconds.
 */
export function createBucketPage({ cursor = -Infinity, limit }: Pick<PageOptions, 'cursor' | 'limit'>, length: number) {
  /** The start of the next row; undefined before the first bucket with entries. */
  let following: number | undefined;
  const append = ({ start, usage, cost }: CostBucket) => {
    page.rows.push({ start, usage, cost });
    following = start + length;
  };
  const page = {
    /** The hours or days of the page, of those from the first to the last one with entries. */
    rows: [] as CostBucket[],
    /** Where the next page begins, in epoch milliseconds; null on the last page. */
    next: null as number | null,
    /**
     * Must be called for every bucket with entries of the series, in order. Buckets outside the
     * page are dropped.
     */
    add(bucket: CostBucket): void {
      following ??= Math.max(bucket.start, cursor);
      if (page.next !== null || bucket.start < following) return;
      while (following < bucket.start && page.rows.length < limit) append({ start: following, ...nothing });
      if (page.rows.length < limit) append(bucket);
      else page.next = bucket.start < following + limit * length ? following : bucket.start;
    },
    /**
     * Whether the page can show a part of a span. All buckets before `first` must have been added,
     * but for the last one, and the next one begins within `first`, or later: then the page can
     * also show later spans. Buckets that are not on the page need not be as long as those of the
     * page.
     */
    canShow(span: Span, first: Span): boolean {
      const start = following ?? Math.max(first.start, cursor);
      const latest = following ?? Math.max(first.end, cursor);
      const end = latest + (limit - page.rows.length) * length;
      return page.next === null && span.end > start && span.start < end;
    },
  };
  return page;
}

export type PagedCost = Awaited<ReturnType<typeof priceByPage>>;

/**
 * The cost of a scenario with one page of its hours or days, computed in slices while the hours are
 * read. It holds a page, and a page of hours and one of days until it is known which of them is the
 * result.
 * @param readDays see `createScenarioPricer` for the hours that are needed, and for their order. Only the
 * days of the page are read by hour or by day, the rest by month.
 */
export async function priceByPage(
  readDays: ReadDays,
  pricing: ScenarioPricing,
  { interval, maxHours, ...options }: PageOptions,
) {
  const start = (chosen: Interval) => {
    const page = createBucketPage(options, intervalLength(chosen));
    return { interval: chosen, page, pricer: createScenarioPricer(pricing, chosen, (bucket) => page.add(bucket)) };
  };
  let series = start(interval ?? 'hour');
  let otherwise = interval === undefined ? start('day') : undefined;
  const detailOf = (span: Span, first: Span) => {
    const shows = (chosen: Interval) =>
      [series, otherwise].some((one) => one?.interval === chosen && one.page.canShow(span, first));
    if (divides(pricing, span) || shows('hour')) return 'hours';
    return shows('day') ? 'day' : 'month';
  };
  for await (const hours of readDays(detailOf)) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      series.pricer.add(hour);
      if (otherwise === undefined) continue;
      otherwise.pricer.add(hour);
      if (series.pricer.spanHours() > maxHours) [series, otherwise] = [otherwise, undefined];
    }
  }
  const cost = series.pricer.finish();
  const { rows, next } = series.page;
  return { ...cost, interval: series.interval, rows, next };
}

/** Rows of a report or a chart: the same number as on a page of metrics. */
const maxCostRows = 2_000;

/** Usage and cost of a period as in its metrics, to the last digit. */
export type PeriodCost = Awaited<ReturnType<typeof readPeriodCost>>;

/**
 * Reads the usage of a scenario and prices it.
 * @param interval absent: hours, or days if there are more than `maxCostRows` hours from the first
 * to the last one with entries.
 */
export async function readPeriodCost(
  deps: UsageDeps,
  scenarioId: string,
  pricing: ScenarioPricing,
  interval?: Interval,
) {
  const page = { interval, limit: maxCostRows, maxHours: maxCostRows };
  const cost = await readScenarioUsage(deps, scenarioId, pricing, (readDays) => priceByPage(readDays, pricing, page));
  return {
    period: cost.period,
    totals: presentTotals(cost),
    breakdown: presentServices(cost),
    interval: cost.interval,
    /** At most `maxCostRows`, ascending and without gaps. */
    rows: cost.rows,
    /** Whether later rows are left out. Totals include them. */
    rowsTruncated: cost.next !== null,
  };
}
