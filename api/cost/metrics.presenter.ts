import { type CostBucket, zeroCost, zeroUsage } from '../../shared/cost/bucket-page.ts';
import type { Money } from '../../shared/cost/money.ts';
import type { PagedCost } from '../../shared/cost/paged-cost.ts';
import { presentAmount, presentLines, presentTotals, presentUsage } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import type { ScenarioCost } from '../../shared/cost/scenario-cost.ts';
import type { UnprocessedEntries } from '../../shared/usage/read-usage.ts';
import { JsonText } from '../http/json-text.ts';
import type { Metrics, MetricsRow } from './metrics.responses.ts';
import { formatCursor } from './metrics-cursor.ts';
import { presentVersion } from './priced-usage.ts';

/** The metrics of a scenario: counts are numbers, money and GB-seconds decimal strings. */
export function presentMetrics(
  scenario: { id: string; region: string },
  book: PriceBook,
  cost: PagedCost<JsonText<MetricsRow>>,
  unprocessed: UnprocessedEntries,
): JsonText<Metrics> {
  const { scenario_id, region, currency, price_book, period, totals, cost_breakdown } = presentSummary(
    scenario,
    book,
    cost,
    unprocessed,
  );
  const next = cost.next === null ? null : formatCursor({ interval: cost.interval, start: cost.next });
  return JsonText.object<Metrics>({
    scenario_id: JsonText.write(scenario_id),
    region: JsonText.write(region),
    currency: JsonText.write(currency),
    price_book: JsonText.write(price_book),
    period: JsonText.write(period),
    totals: JsonText.write(totals),
    cost_breakdown: JsonText.write(cost_breakdown),
    interval: JsonText.write(cost.interval),
    timeseries: JsonText.list(cost.rows),
    next: JsonText.write(next),
  });
}

/** The metrics without rows. */
export function presentSummary(
  scenario: { id: string; region: string },
  book: PriceBook,
  cost: ScenarioCost,
  unprocessed: UnprocessedEntries,
): Omit<Metrics, 'interval' | 'timeseries' | 'next'> {
  return {
    scenario_id: scenario.id,
    region: scenario.region,
    currency: book.currency,
    price_book: presentVersion(book),
    period: { from: cost.period.from?.toISOString() ?? null, to: cost.period.to?.toISOString() ?? null },
    totals: { ...presentTotals(cost), pending_entries: unprocessed.pending, failed_entries: unprocessed.failed },
    cost_breakdown: presentLines(cost),
  };
}

/**
 * Writes rows as JSON: to make objects of them first would take twice as long. Rows without
 * entries, which are most rows of a sparse scenario, share their text.
 */
export function createRowPresenter(): (bucket: CostBucket) => JsonText<MetricsRow> {
  const withoutEntries = `${presentRowUsage(zeroUsage)},"cost":${presentRowCost(zeroCost)}}`;
  return ({ start, usage, cost }) => {
    const rest = usage === zeroUsage ? withoutEntries : `${presentRowUsage(usage)},"cost":${presentRowCost(cost)}}`;
    return JsonText.of(`{"hour":"${new Date(start).toISOString()}",${rest}`);
  };
}

function presentRowUsage(usage: CostBucket['usage']): string {
  const shown = presentUsage(usage);
  return (
    `"logs":${shown.logs},"size_bytes":${shown.size_bytes},"pii_logs":${shown.pii_logs},` +
    `"queue_requests":${shown.queue_requests},"function_invocations":${shown.function_invocations},` +
    `"function_gb_seconds":"${shown.function_gb_seconds}","input_tokens":${shown.input_tokens},` +
    `"output_tokens":${shown.output_tokens}`
  );
}

function presentRowCost({ queue, function: fn, inference, total }: CostBucket['cost']): string {
  return (
    `{"queue":${presentRowAmount(queue)},"function":${presentRowAmount(fn)},` +
    `"inference":${presentRowAmount(inference)},"total":${presentRowAmount(total)}}`
  );
}

function presentRowAmount(amount: Money | null): string {
  const shown = presentAmount(amount);
  return shown === null ? 'null' : `"${shown}"`;
}
