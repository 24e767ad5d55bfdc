import { type PagedCost, zeroCost, zeroUsage } from '../../shared/cost/paged-cost.ts';
import {
  presentAmount,
  presentServices,
  presentTotals,
  presentUsage,
  presentVersion,
} from '../../shared/cost/present-cost.ts';
import { presentRemarks } from '../../shared/cost/present-remarks.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import type { CostBucket } from '../../shared/cost/scenario-cost.ts';
import { parseTimestamp } from '../../shared/timestamp.ts';
import { type Interval, intervalLength } from '../../shared/usage/periods.ts';
import type { UnprocessedEntries } from '../../shared/usage/read-usage.ts';
import type { Metrics, MetricsRow } from './metrics.responses.ts';

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
      ...presentRemarks(cost.usage),
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

/** Where a page of the time series begins. */
export interface MetricsCursor {
  interval: Interval;
  /** The start of a UTC hour or day, in epoch milliseconds. */
  start: number;
}

/**
 * `hour:2026-05-01T12:00:00.000Z`: it names the interval, so that entries that arrive between two
 * pages do not change it.
 */
export function formatCursor({ interval, start }: MetricsCursor): string {
  return `${interval}:${new Date(start).toISOString()}`;
}

/** Undefined for a text that is not a cursor. */
export function parseCursor(text: string): MetricsCursor | undefined {
  const { name, time } = /^(?<name>hour|day):(?<time>.+Z)$/.exec(text)?.groups ?? {};
  const interval = name as Interval | undefined;
  const start = parseTimestamp(time);
  if (interval === undefined || start === undefined || start % intervalLength(interval) !== 0) return undefined;
  return { interval, start };
}
