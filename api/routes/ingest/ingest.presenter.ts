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

function pricedUsage(batch: LogBatch, entry: LogEntry): PricedUsage {
  const { queueRequests, memoryMb, billedMs, model, inputTokens, outputTokens } = entry;
  const { queueType, architecture } = batch;
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
    has_pii: entry.pii.length > 0,
    pii: entry.pii,
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
  const sum = (value: (entry: LogEntry) => number) => batch.entries.reduce((total, entry) => total + value(entry), 0);
  const mbMs = batch.entries.reduce((total, entry) => total + BigInt(entry.memoryMb * entry.billedMs), 0n);
  return {
    logs: batch.entries.length,
    size_bytes: sum((entry) => entry.sizeBytes),
    pii_logs: sum((entry) => (entry.pii.length > 0 ? 1 : 0)),
    metrics: {
      queue_requests: sum((entry) => entry.queueRequests),
      function_invocations: batch.entries.length,
      function_gb_seconds: formatGbSeconds(mbMs),
      input_tokens: sum((entry) => entry.inputTokens),
      output_tokens: sum((entry) => entry.outputTokens),
    },
    cost: pricer.sum(batch.entries.map((entry) => pricedUsage(batch, entry))),
  };
}
