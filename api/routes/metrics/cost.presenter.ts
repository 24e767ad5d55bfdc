// The presentation of usage and cost, in metrics and in everything that is computed from the same usage.
import type { PiiType } from '../../../shared/pii-kinds/pii-kind.ts';
import { formatGbSeconds, formatMoney, formatShare, type Money } from '../../../shared/pricing/money.ts';
import type { CostLine, ScenarioCost } from '../../../shared/pricing/scenario-cost.ts';
import type { UsageCounters } from '../../../shared/pricing/usage.ts';
import type { CostTotals, MetricsLine, UsageTotals } from './metrics.answers.ts';

/** What is shown of usage and amounts that are counted in parts of a unit: `times / parts` of them. */
export interface Scale {
  times: bigint;
  parts: bigint;
}

const asCounted: Scale = { times: 1n, parts: 1n };

/** Usage and cost of a period, in total and by service. */
export function presentTotals(
  { usage, total }: Pick<ScenarioCost, 'usage' | 'total'>,
  scale: Scale = asCounted,
): CostTotals {
  const { logs, size_bytes, pii_logs, ...services } = presentUsage(usage, scale);
  return {
    logs,
    size_bytes,
    pii_logs,
    pii: presentPii(usage, scale),
    ...services,
    cost: presentAmount(total.amount, scale),
    status: total.status,
    incomplete: total.incomplete,
  };
}

export function presentUsage(usage: Readonly<UsageCounters>, scale: Scale = asCounted): UsageTotals {
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
    logs: presentCount(usage.logs, scale),
    size_bytes: presentCount(usage.sizeBytes, scale),
    pii_logs: presentCount(usage.piiLogs, scale),
    queue_requests: presentCount(queueRequests, scale),
    function_invocations: presentCount(invocations, scale),
    function_gb_seconds: presentGbSeconds(mbMs, scale),
    input_tokens: presentCount(inputTokens, scale),
    output_tokens: presentCount(outputTokens, scale),
  };
}

function presentPii({ pii }: UsageCounters, scale: Scale): Record<PiiType, number> {
  const counts = { email: 0n, national_id: 0n, payment_card: 0n };
  for (const { type, count } of pii) counts[type] += count;
  const { email, national_id, payment_card } = counts;
  return {
    email: presentCount(email, scale),
    national_id: presentCount(national_id, scale),
    payment_card: presentCount(payment_card, scale),
  };
}

/** The breakdown of a cost by service. */
export function presentLines(
  { usage, lines, total }: Pick<ScenarioCost, 'usage' | 'lines' | 'total'>,
  scale: Scale = asCounted,
): MetricsLine[] {
  const { queue, function: fn, inference } = lines;
  const totals = presentUsage(usage, scale);
  const line = <Unpriced>(
    service: MetricsLine['service'],
    { amount, status, unpriced }: CostLine<Unpriced>,
    shownUsage: MetricsLine['usage'],
    presentUnpriced: (usage: Unpriced) => MetricsLine['usage'],
  ): MetricsLine => ({
    service,
    usage: shownUsage,
    cost: presentAmount(amount, scale),
    share: amount === null || total.amount === null ? null : formatShare(amount, total.amount),
    status,
    ...(unpriced !== null && { unpriced: presentUnpriced(unpriced) }),
  });
  return [
    line('queue', queue, { requests: totals.queue_requests }, ({ requests }) => ({
      requests: presentCount(requests, scale),
    })),
    line(
      'function',
      fn,
      { invocations: totals.function_invocations, gb_seconds: totals.function_gb_seconds },
      ({ invocations, mbMs }) => ({
        invocations: presentCount(invocations, scale),
        gb_seconds: presentGbSeconds(mbMs, scale),
      }),
    ),
    line(
      'inference',
      inference,
      { input_tokens: totals.input_tokens, output_tokens: totals.output_tokens },
      ({ inputTokens, outputTokens }) => ({
        input_tokens: presentCount(inputTokens, scale),
        output_tokens: presentCount(outputTokens, scale),
      }),
    ),
  ];
}

/** USD with 12 decimals, rounded half up; null without a price. */
export function presentAmount(amount: Money | null, { times, parts }: Scale = asCounted): string | null {
  // Truncation to 10^-24 USD does not change how the 12 decimals are rounded.
  return amount === null ? null : formatMoney((amount * times) / parts);
}

/** A whole number, rounded half up. */
function presentCount(count: bigint, { times, parts }: Scale): number {
  return Number(parts === 1n ? count * times : (2n * count * times + parts) / (2n * parts));
}

function presentGbSeconds(mbMs: bigint, { times, parts }: Scale): string {
  return formatGbSeconds(mbMs * times, parts);
}
