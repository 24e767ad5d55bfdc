import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { divides, type Interval, intervalLength } from '../usage/periods.ts';
import type { ReadDays, Span } from '../usage/usage.ts';
import { BucketPage, type CostBucket, type PageRequest } from './bucket-page.ts';
import { type ScenarioCost, ScenarioPricer, type ScenarioPricing } from './scenario-cost.ts';

export interface PageOptions extends PageRequest {
  /**
   * Absent: hours, or days if there are more than `maxHours` hours from the first to the last one
   * with entries.
   */
  interval?: Interval | undefined;
  maxHours: number;
}

export interface PagedCost<Row = CostBucket> extends ScenarioCost {
  interval: Interval;
  /** One page of the hours or days from the first to the last one with entries. */
  rows: Row[];
  /** The cursor of the next page; null after the last one. */
  next: number | null;
}

/**
 * The cost of a scenario with one page of its hours or days, computed in slices while the hours are
 * read. It holds a page, and a page of hours and one of days until it is known which of them is the
 * result.
 * @param readDays see `ScenarioPricer` for the hours that are needed, and for their order. Only the
 * days of the page are read by hour or by day, the rest by month.
 * @param present makes the row of a bucket as soon as its cost is known, so that its usage need not
 * be held.
 */
export async function priceByPage<Row>(
  readDays: ReadDays,
  pricing: ScenarioPricing,
  { interval, maxHours, ...page }: PageOptions,
  present: (bucket: CostBucket) => Row,
): Promise<PagedCost<Row>> {
  const start = (chosen: Interval) => {
    const bucketPage = new BucketPage(page, intervalLength(chosen), present);
    const pricer = new ScenarioPricer(pricing, chosen, (bucket) => bucketPage.add(bucket));
    return { interval: chosen, bucketPage, pricer };
  };
  let series = start(interval ?? 'hour');
  let otherwise = interval === undefined ? start('day') : undefined;
  const canShow = (page: typeof otherwise, chosen: Interval, span: Span, first: Span) =>
    page?.interval === chosen && page.bucketPage.canShow(span, first);
  const detailOf = (span: Span, first: Span) => {
    if (divides(pricing, span) || canShow(series, 'hour', span, first)) return 'hours';
    return canShow(series, 'day', span, first) || canShow(otherwise, 'day', span, first) ? 'day' : 'month';
  };
  for await (const hours of readDays(detailOf)) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      series.pricer.add(hour);
      if (otherwise === undefined) continue;
      otherwise.pricer.add(hour);
      if (series.pricer.spanHours <= maxHours) continue;
      series = otherwise;
      otherwise = undefined;
    }
  }
  const cost = series.pricer.finish();
  return { ...cost, interval: series.interval, rows: series.bucketPage.rows, next: series.bucketPage.next };
}
