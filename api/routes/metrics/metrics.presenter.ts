import type { PiiType } from '../../../shared/pii-kinds/pii-kind.ts';
import { type CostBucket, zeroCost, zeroUsage } from '../../../shared/pricing/bucket-page.ts';
import { formatGbSeconds, formatMoney, formatShare, type Money } from '../../../shared/pricing/money.ts';
import type { PagedCost } from '../../../shared/pricing/paged-cost.ts';
import type { PriceBook } from '../../../shared/pricing/price-book.ts';
import type { CostLine, ScenarioCost } from '../../../shared/pricing/scenario-cost.ts';
import type { UsageCounters } from '../../../shared/pricing/usage.ts';
import { mapInSlices } from '../../../shared/runtime/time-slices.ts';
import type { Metrics, MetricsLine, MetricsRow, UsageTotals } from './metrics.answers.ts';
import { formatCursor } from './metrics-cursor.ts';

/** The metrics of a scenario: counts are numbers, money and GB-seconds decimal strings. */
export async function presentMetrics(
  scenario: { id: string; region: string },
  book: PriceBook,
  cost: PagedCost,
): Promise<Metrics> {
  const { logs, size_bytes, pii_logs, ...usage } = presentUsage(cost.usage);
  return {
    scenario_id: scenario.id,
    region: scenario.region,
    currency: book.currency,
    price_book: { version: book.version, as_of: book.asOf },
    period: { from: cost.period.from?.toISOString() ?? null, to: cost.period.to?.toISOString() ?? null },
    totals: {
      logs,
      size_bytes,
      pii_logs,
      pii: presentPii(cost.usage),
      ...usage,
      cost: show(cost.total.amount),
      status: cost.total.status,
      incomplete: cost.total.incomplete,
    },
    cost_breakdown: presentLines(cost),
    interval: cost.interval,
    timeseries: await presentRows(cost.buckets),
    next: cost.next === null ? null : formatCursor({ interval: cost.interval, start: cost.next }),
  };
}

function presentUsage(usage: Readonly<UsageCounters>): UsageTotals {
  let queueRequests = 0n;
  let invocations = 0n;
  let mbMs = 0n;
  let inputTokens = 0n;
  let outputTokens = 0n;
  for (const row of usage.queues) queueRequests += row.requests;
  for (const row of usage.functions) {
    invocations += row.invocations;
    mbMs += row.mbMs;
  }
  for (const row of usage.inference) {
    inputTokens += row.inputTokens;
    outputTokens += row.outputTokens;
  }
  return {
    logs: Number(usage.logs),
    size_bytes: Number(usage.sizeBytes),
    pii_logs: Number(usage.piiLogs),
    queue_requests: Number(queueRequests),
    function_invocations: Number(invocations),
    function_gb_seconds: formatGbSeconds(mbMs),
    input_tokens: Number(inputTokens),
    output_tokens: Number(outputTokens),
  };
}

function presentPii({ pii }: UsageCounters): Record<PiiType, number> {
  const counts = { email: 0, national_id: 0, payment_card: 0 };
  for (const { type, count } of pii) counts[type] += Number(count);
  return counts;
}

function presentLines({ usage, lines, total }: ScenarioCost): MetricsLine[] {
  const totals = presentUsage(usage);
  return [
    presentLine('queue', lines.queue, { requests: totals.queue_requests }, total.amount, ({ requests }) => ({
      requests: Number(requests),
    })),
    presentLine(
      'function',
      lines.function,
      { invocations: totals.function_invocations, gb_seconds: totals.function_gb_seconds },
      total.amount,
      ({ invocations, mbMs }) => ({ invocations: Number(invocations), gb_seconds: formatGbSeconds(mbMs) }),
    ),
    presentLine(
      'inference',
      lines.inference,
      { input_tokens: totals.input_tokens, output_tokens: totals.output_tokens },
      total.amount,
      ({ inputTokens, outputTokens }) => ({ input_tokens: Number(inputTokens), output_tokens: Number(outputTokens) }),
    ),
  ];
}

function presentLine<Unpriced>(
  service: MetricsLine['service'],
  { amount, status, unpriced }: CostLine<Unpriced>,
  usage: MetricsLine['usage'],
  total: Money | null,
  presentUnpriced: (usage: Unpriced) => MetricsLine['usage'],
): MetricsLine {
  return {
    service,
    usage,
    cost: show(amount),
    share: amount === null || total === null ? null : formatShare(amount, total),
    status,
    ...(unpriced !== null && { unpriced: presentUnpriced(unpriced) }),
  };
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
    queue: show(cost.queue),
    function: show(cost.function),
    inference: show(cost.inference),
    total: show(cost.total),
  };
}

function show(amount: Money | null): string | null {
  return amount === null ? null : formatMoney(amount);
}
