import type { Assumptions } from '../../../shared/pricing/assumptions.ts';
import { type CostBucket, zeroCost, zeroUsage } from '../../../shared/pricing/bucket-page.ts';
import { countBuckets, type Interval, type Period } from '../../../shared/pricing/periods.ts';
import type { PriceBook, PriceFallback } from '../../../shared/pricing/price-book.ts';
import { priceHours } from '../../../shared/pricing/scenario-cost.ts';
import type { HourUsage } from '../../../shared/pricing/usage.ts';
import { inSlices, mapInSlices } from '../../../shared/runtime/time-slices.ts';
import { presentAmount, presentLines, presentTotals, presentUsage } from './cost.presenter.ts';
import type { Metrics, MetricsRow } from './metrics.answers.ts';
import { type MetricsQuery, maxRows } from './metrics.schemas.ts';
import { formatCursor } from './metrics-cursor.ts';

/**
 * The metrics of a scenario: counts are numbers, money and GB-seconds decimal strings.
 * @param hours its usage from the start of the month of `query.from` (`usageNeededFor`) up to `query.to`.
 */
export async function presentMetrics(
  scenario: { id: string; region: string; assumptions?: Assumptions | null },
  hours: readonly HourUsage[],
  query: MetricsQuery,
  prices: { priceBook: PriceBook; fallback: PriceFallback },
): Promise<Metrics> {
  const { from, to, cursor, limit } = query;
  const interval = cursor?.interval ?? query.interval ?? defaultInterval(hours, query);
  const { priceBook: book, fallback } = prices;
  const { region, assumptions } = scenario;
  const page = { cursor: cursor?.start, limit };
  const cost = await inSlices(priceHours(hours, { region, assumptions, book, fallback, from, to, interval, page }));
  return {
    scenario_id: scenario.id,
    region,
    currency: book.currency,
    price_book: { version: book.version, as_of: book.asOf },
    period: { from: cost.period.from?.toISOString() ?? null, to: cost.period.to?.toISOString() ?? null },
    totals: presentTotals(cost),
    cost_breakdown: presentLines(cost),
    interval,
    timeseries: await presentRows(cost.buckets),
    next: cost.next === null ? null : formatCursor({ interval, start: cost.next }),
  };
}

/** Hours, or days where the hours would not fit on one page. */
function defaultInterval(hours: readonly HourUsage[], period: Period): Interval {
  return countBuckets(hours, 'hour', period) <= maxRows ? 'hour' : 'day';
}

/** Rows without entries, which are most rows of a sparse scenario, share their contents. */
function presentRows(buckets: readonly CostBucket[]): Promise<MetricsRow[]> {
  const noUsage = presentUsage(zeroUsage);
  const noCost = presentCost(zeroCost);
  return mapInSlices(buckets, ({ start, usage, cost }) => {
    const hour = new Date(start).toISOString();
    const shown = usage === zeroUsage ? noUsage : presentUsage(usage);
    // Field by field: a spread takes a third of the time of all rows.
    return {
      hour,
      logs: shown.logs,
      size_bytes: shown.size_bytes,
      pii_logs: shown.pii_logs,
      queue_requests: shown.queue_requests,
      function_invocations: shown.function_invocations,
      function_gb_seconds: shown.function_gb_seconds,
      input_tokens: shown.input_tokens,
      output_tokens: shown.output_tokens,
      cost: cost === zeroCost ? noCost : presentCost(cost),
    };
  });
}

function presentCost(cost: CostBucket['cost']): MetricsRow['cost'] {
  return {
    queue: presentAmount(cost.queue),
    function: presentAmount(cost.function),
    inference: presentAmount(cost.inference),
    total: presentAmount(cost.total),
  };
}
