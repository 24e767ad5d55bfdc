import { type CostBucket, zeroCost, zeroUsage } from '../../shared/cost/bucket-page.ts';
import type { PagedCost } from '../../shared/cost/paged-cost.ts';
import { presentAmount, presentServices, presentTotals, presentUsage } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { presentVersion } from '../../shared/cost/priced-usage.ts';
import type { ScenarioCost } from '../../shared/cost/scenario-cost.ts';
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

/** The cost is incomplete where a model has no price. */
function presentRemarks({ usage: { untimed = 0n, usageUnread = 0n, unpriced = [] }, total }: ScenarioCost) {
  return {
    untimed: Number(untimed),
    usage_unread: Number(usageUnread),
    unpriced: unpriced
      .map(({ name, calls, inputTokens, outputTokens }) => ({
        model: name,
        calls: Number(calls),
        input_tokens: Number(inputTokens),
        output_tokens: Number(outputTokens),
      }))
      .sort((one, other) => other.calls - one.calls),
    incomplete: total.incomplete || unpriced.length > 0,
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
