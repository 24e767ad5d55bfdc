import type { LogBatch, LogEntry, PiiCount } from '../../../shared/models/log-batch.model.ts';
import type { EntryCost, EntryPricer, PricedUsage } from '../../../shared/pricing/entry-cost.ts';
import { formatGbSeconds } from '../../../shared/pricing/money.ts';
import { logEntryId } from './log-entry-id.ts';

/** Usage of one entry, or the sum of several; `function_gb_seconds` is a decimal string with 12 decimals. */
export interface EntryMetrics {
  queue_requests: number;
  function_invocations: number;
  function_gb_seconds: string;
  input_tokens: number;
  output_tokens: number;
}

export interface LogResponse {
  id: string;
  scenario_id: string;
  received_at: string;
  message_hash: string;
  message_preview: string;
  source: string | null;
  level: string | null;
  size_bytes: number;
  has_pii: boolean;
  pii: PiiCount[];
  metrics: EntryMetrics;
  cost: EntryCost;
}

export interface BatchTotals {
  logs: number;
  size_bytes: number;
  pii_logs: number;
  metrics: EntryMetrics;
  cost: EntryCost;
}

function pricedUsage({ queueType, architecture, commonUsage }: LogBatch, entry: LogEntry): PricedUsage {
  const { queueRequests, memoryMb, billedMs, model, outputTokens } = entry.usage
    ? { ...commonUsage, ...entry.usage }
    : commonUsage;
  const { inputTokens } = entry;
  return { queueType, architecture, queueRequests, mbMs: memoryMb * billedMs, model, inputTokens, outputTokens };
}

export function presentLogEntry(batch: LogBatch, entry: LogEntry, pricer: EntryPricer): LogResponse {
  const usage = pricedUsage(batch, entry);
  return {
    id: logEntryId(batch._id, entry.index),
    scenario_id: batch.scenarioId,
    received_at: batch.receivedAt.toISOString(),
    message_hash: entry.hash,
    message_preview: entry.preview,
    source: entry.source ?? null,
    level: entry.level ?? null,
    size_bytes: entry.sizeBytes,
    has_pii: entry.pii !== undefined,
    pii: entry.pii ?? [],
    metrics: {
      queue_requests: usage.queueRequests,
      function_invocations: 1,
      function_gb_seconds: formatGbSeconds(BigInt(usage.mbMs)),
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
    },
    cost: pricer.price(usage),
  };
}

/** The sum over a batch. Its cost is rounded once, from the exact sum of what the entries cost one by one. */
export function presentTotals(batch: LogBatch, pricer: EntryPricer): BatchTotals {
  const totals = { size_bytes: 0, pii_logs: 0, queue_requests: 0, input_tokens: 0, output_tokens: 0 };
  let mbMs = 0n;
  const usages = batch.entries.map((entry) => {
    const usage = pricedUsage(batch, entry);
    totals.size_bytes += entry.sizeBytes;
    totals.pii_logs += entry.pii === undefined ? 0 : 1;
    totals.queue_requests += usage.queueRequests;
    totals.input_tokens += usage.inputTokens;
    totals.output_tokens += usage.outputTokens;
    mbMs += BigInt(usage.mbMs);
    return usage;
  });
  return {
    logs: batch.entries.length,
    size_bytes: totals.size_bytes,
    pii_logs: totals.pii_logs,
    metrics: {
      queue_requests: totals.queue_requests,
      function_invocations: batch.entries.length,
      function_gb_seconds: formatGbSeconds(mbMs),
      input_tokens: totals.input_tokens,
      output_tokens: totals.output_tokens,
    },
    cost: pricer.sum(usages),
  };
}
