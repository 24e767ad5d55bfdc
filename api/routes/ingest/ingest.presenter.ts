import type { LogBatch, LogEntry } from '../../../shared/models/log-batch.model.ts';
import type { EntryPricer, PricedUsage } from '../../../shared/pricing/entry-cost.ts';
import { formatGbSeconds } from '../../../shared/pricing/money.ts';
import { resolvePricedUsage } from '../../../shared/pricing/stored-usage.ts';
import { logEntryId } from '../../../shared/services/log-entry-id.ts';
import type { BatchTotals, LogResponse } from './ingest.answers.ts';

/** Presents a whole batch: the entries in order, and the sum of the entries. */
export function presentBatch(batch: LogBatch, pricer: EntryPricer): { results: LogResponse[]; totals: BatchTotals } {
  const usages = batch.entries.map((entry) => resolvePricedUsage(batch, entry));
  const present = createEntryPresenter(batch, pricer);
  return {
    results: batch.entries.map((entry, position) => present(entry, usages[position] as PricedUsage, position)),
    totals: presentTotals(batch, usages, pricer),
  };
}

/** Presents the entries of one batch. Many entries have the same GB-seconds, so each distinct value is formatted once. */
function createEntryPresenter(batch: LogBatch, pricer: EntryPricer) {
  const receivedAt = batch.receivedAt.toISOString();
  const gbSeconds = new Map<number, string>();
  const formatGbSecondsCached = (mbMs: number) => {
    const formatted = gbSeconds.get(mbMs) ?? formatGbSeconds(BigInt(mbMs));
    gbSeconds.set(mbMs, formatted);
    return formatted;
  };
  return (entry: LogEntry, usage: PricedUsage, position: number): LogResponse => ({
    id: logEntryId(batch._id, entry.index ?? position),
    scenario_id: batch.scenarioId,
    received_at: receivedAt,
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
      function_gb_seconds: formatGbSecondsCached(usage.mbMs),
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
    },
    cost: pricer.price(usage),
  });
}

/** The cost is rounded once, from the exact sum of the entries' costs. */
function presentTotals(batch: LogBatch, usages: readonly PricedUsage[], pricer: EntryPricer): BatchTotals {
  const sum = { mbMs: 0, queueRequests: 0, inputTokens: 0, outputTokens: 0 };
  for (const { mbMs, queueRequests, inputTokens, outputTokens } of usages) {
    sum.mbMs += mbMs;
    sum.queueRequests += queueRequests;
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
  }
  return {
    logs: batch.entries.length,
    size_bytes: batch.entries.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
    pii_logs: batch.entries.filter(({ pii }) => pii !== undefined).length,
    metrics: {
      queue_requests: sum.queueRequests,
      function_invocations: batch.entries.length,
      function_gb_seconds: formatGbSeconds(BigInt(sum.mbMs)),
      input_tokens: sum.inputTokens,
      output_tokens: sum.outputTokens,
    },
    cost: pricer.sum(usages),
  };
}
