// Usage and cost as callers see them, in metrics, reports and everything else that is computed from
// the same usage: counts are numbers, money and GB-seconds decimal strings.
import type { PiiType } from '../pii/pii-kind.ts';
import type { UsageCounters } from '../usage/usage.ts';
import { formatGbSeconds, formatMoney, formatShare, type Money } from './money.ts';
import type { ChargeItem, Service } from './price-month.ts';
import type { ScenarioCost } from './scenario-cost.ts';
import type { CostStatus } from './service-cost.ts';

interface UsageTotals {
  logs: number;
  size_bytes: number;
  pii_logs: number;
  queue_requests: number;
  function_invocations: number;
  function_gb_seconds: string;
  input_tokens: number;
  output_tokens: number;
}

/** The usage that only a pipeline has. */
export interface PipelineTotals {
  inference_calls: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  /** Part of the queue requests: polls that returned no message. */
  empty_receives: number;
}

export interface CostTotals extends UsageTotals, Partial<PipelineTotals> {
  pii: Record<PiiType, number>;
  /** In USD with 12 decimals; null if none of the usage has a price. */
  cost: string | null;
  status: CostStatus;
  /** Whether some of the usage has no price, so that the cost is only a part. */
  incomplete: boolean;
}

export interface CostBreakdownLine {
  service: 'queue' | 'function' | 'inference';
  /** By unit. */
  usage: Record<string, number | string>;
  cost: string | null;
  /** Share of the total, with 4 decimals; null if one of the two is unknown. */
  share: string | null;
  status: CostStatus;
  /** The usage without a price, if any. */
  unpriced?: Record<string, number | string>;
}

/**
 * Scales usage and amounts that are counted in parts of a unit: `times / parts` of them are shown.
 */
export interface Scale {
  times: bigint;
  parts: bigint;
}

const asCounted: Scale = { times: 1n, parts: 1n };

/** Usage and cost of a period, in total and by service. */
export function presentTotals(
  { usage, total, hasPipeline }: Pick<ScenarioCost, 'usage' | 'total' | 'hasPipeline'>,
  scale: Scale = asCounted,
): CostTotals {
  const { logs, size_bytes, pii_logs, ...services } = presentUsage(usage, scale);
  return {
    logs,
    size_bytes,
    pii_logs,
    pii: presentPii(usage, scale),
    ...services,
    ...(hasPipeline && presentPipeline(usage, scale)),
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

export function presentPipeline(usage: Readonly<UsageCounters>, scale: Scale = asCounted): PipelineTotals {
  let emptyReceives = 0n;
  let calls = 0n;
  let cacheReadTokens = 0n;
  let cacheWriteTokens = 0n;
  for (const row of usage.queues) emptyReceives += row.emptyReceives ?? 0n;
  for (const row of usage.inference) {
    calls += row.calls ?? 0n;
    cacheReadTokens += row.cacheReadTokens ?? 0n;
    cacheWriteTokens += row.cacheWriteTokens ?? 0n;
  }
  return {
    inference_calls: presentCount(calls, scale),
    cache_read_tokens: presentCount(cacheReadTokens, scale),
    cache_write_tokens: presentCount(cacheWriteTokens, scale),
    empty_receives: presentCount(emptyReceives, scale),
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
export function presentServices(
  { usage, services, total, hasPipeline }: Pick<ScenarioCost, 'usage' | 'services' | 'total' | 'hasPipeline'>,
  scale: Scale = asCounted,
): CostBreakdownLine[] {
  const totals = presentUsage(usage, scale);
  const ofPipeline = hasPipeline ? presentPipeline(usage, scale) : undefined;
  const line = (service: Service, shownUsage: CostBreakdownLine['usage']): CostBreakdownLine => {
    const { amount, status, unpriced } = services[service];
    return {
      service,
      usage: shownUsage,
      cost: presentAmount(amount, scale),
      share: amount === null || total.amount === null ? null : formatShare(amount, total.amount),
      status,
      ...(unpriced !== null && { unpriced: presentUnpriced(service, unpriced, scale) }),
    };
  };
  return [
    line('queue', {
      requests: totals.queue_requests,
      ...(ofPipeline && { empty_receives: ofPipeline.empty_receives }),
    }),
    line('function', { invocations: totals.function_invocations, gb_seconds: totals.function_gb_seconds }),
    line('inference', {
      ...(ofPipeline && { calls: ofPipeline.inference_calls }),
      input_tokens: totals.input_tokens,
      output_tokens: totals.output_tokens,
      ...(ofPipeline && {
        cache_read_tokens: ofPipeline.cache_read_tokens,
        cache_write_tokens: ofPipeline.cache_write_tokens,
      }),
    }),
  ];
}

function presentUnpriced(
  service: Service,
  unpriced: Readonly<Partial<Record<ChargeItem, bigint>>>,
  scale: Scale,
): CostBreakdownLine['usage'] {
  const count = (item: ChargeItem) => presentCount(unpriced[item] ?? 0n, scale);
  if (service === 'queue') return { requests: count('requests') };
  if (service === 'function') {
    return { invocations: count('invocations'), gb_seconds: presentGbSeconds(unpriced.compute ?? 0n, scale) };
  }
  const isCached = unpriced.cache_read_tokens !== undefined || unpriced.cache_write_tokens !== undefined;
  return {
    input_tokens: count('input_tokens'),
    output_tokens: count('output_tokens'),
    ...(isCached && { cache_read_tokens: count('cache_read_tokens'), cache_write_tokens: count('cache_write_tokens') }),
  };
}

/** USD with 12 decimals, rounded half up; null without a price. */
export function presentAmount(amount: Money | null, { times, parts }: Scale = asCounted): string | null {
  if (amount === null) return null;
  // Truncation to 10^-28 USD does not change how the 12 decimals are rounded.
  return formatMoney(times === parts ? amount : (amount * times) / parts);
}

/** A whole number, rounded half up. */
function presentCount(count: bigint, { times, parts }: Scale): number {
  return Number(times === parts ? count : (2n * count * times + parts) / (2n * parts));
}

function presentGbSeconds(mbMs: bigint, { times, parts }: Scale): string {
  return times === parts ? formatGbSeconds(mbMs) : formatGbSeconds(mbMs * times, parts);
}
