import { type CostBucket, zeroCost, zeroUsage } from '../../shared/cost/bucket-page.ts';
import type { PagedCost } from '../../shared/cost/paged-cost.ts';
import { presentAmount, presentServices, presentTotals, presentUsage } from '../../shared/cost/present-cost.ts';
import { presentRemarks } from '../../shared/cost/present-remarks.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { presentVersion } from '../../shared/cost/priced-usage.ts';
import type { UnprocessedEntries } from '../../shared/usage/read-usage.ts';
import type { Metrics, MetricsRow } from './metrics.responses.ts';
import { formatCursor } from './metrics-cursor.ts';

/** The metrics of a scenario: counts are numbers, money and GB-seconds decimal strings. */
export function presentMetrics(
  scenario: { id: string; region: string },
  book: PriceBook,
  cost: PagedCost<MetricsRow>,
  unprocessed: UnprocessedEntries,
): Metrics {
  return {
    scenario_id: scenario.id,
    region: scenario.region,
    currency: book.currency,
    price_book: presentVersion(book),
    period: { from: cost.period.from?.toISOString() ?? null, to: cost.period.to?.toISOString() ?? null },
    totals: {
      ...presentTotals(cost),
      ...presentRemarks(cost),
      pending_entries: unprocessed.pending,
      failed_entries: unprocessed.failed,
    },
    cost_breakdown: presentServices(cost),
    interval: cost.interval,
    timeseries: cost.rows,
    next: cost.next === null ? null : formatCursor({ interval: cost.interval, start: cost.next }),
  };
}

/**
 * Rows without entries, which are most rows of a sparse scenario, share what they have in common.
 */
export function presentRow({ start, usage, cost }: CostBucket): MetricsRow {
  const rest = usage === zeroUsage ? withoutEntries : presentRest(usage, cost);
  return { hour: new Date(start).toISOString(), ...rest };
}

function presentRest(usage: CostBucket['usage'], cost: CostBucket['cost']): Omit<MetricsRow, 'hour'> {
  const { queue, function: fn, inference, total } = cost;
  return {
    ...presentUsage(usage),
    cost: {
      queue: presentAmount(queue),
      function: presentAmount(fn),
      inference: presentAmount(inference),
      total: presentAmount(total),
    },
  };
}

const withoutEntries = presentRest(zeroUsage, zeroCost);
