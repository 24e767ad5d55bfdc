import {
  createEntryPricer,
  type EntryPricer,
  type PricedUsage,
  resolvePricedUsage,
} from '../../shared/cost/entry-cost.ts';
import { formatGbSeconds } from '../../shared/cost/money.ts';
import type { PriceBook, PriceFallback } from '../../shared/cost/price-book.ts';
import type { LogEntry, ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import { entriesOf } from '../../shared/ingest/log-entries.ts';
import { logEntryId } from '../../shared/ingest/log-entry-id.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { BatchTotals, LogResponse } from './ingest.schema.ts';

/** The entries of a request, which are all of a batch or a part of it. */
export interface PresentedEntries {
  results: LogResponse[];
  totals: () => BatchTotals;
}

/**
 * Presents the entries of a request.
 * @param range the positions of the entries in the batch.
 */
export function presentEntries(
  batch: ProcessedLogBatch,
  range: { first: number; count: number },
  { region, assumptions }: Pick<Scenario, 'region' | 'assumptions'>,
  { book, fallback }: { book: PriceBook; fallback: PriceFallback },
): PresentedEntries {
  const { output_tokens_per_entry: assumedOutput } = applyDefaults(assumptions).inference;
  const pricer = createEntryPricer({ book, fallback, region });
  const entries = entriesOf(batch).slice(range.first, range.first + range.count);
  const receivedAt = batch.receivedAt.toISOString();
  const present = (usage: PricedUsage) => ({ usage, metrics: presentUsage([usage]), cost: pricer.price(usage) });
  /** By input tokens, in which alone most entries of a batch differ. */
  const known = new Map<number, ReturnType<typeof present>>();
  const presentOnce = (entry: LogEntry) => {
    let presented = entry.usage ? undefined : known.get(entry.inputTokens);
    if (!presented) {
      presented = present(resolvePricedUsage(batch, entry, assumedOutput));
      if (!entry.usage) known.set(entry.inputTokens, presented);
    }
    return presented;
  };
  const presented = entries.map(presentOnce);
  return {
    results: entries.map((entry, at) => {
      const { metrics, cost } = presented[at] as ReturnType<typeof present>;
      return {
        id: logEntryId(batch._id, entry.index ?? range.first + at),
        scenario_id: batch.scenarioId,
        received_at: receivedAt,
        message_hash: entry.hash,
        message_preview: entry.preview,
        source: entry.source ?? null,
        level: entry.level ?? null,
        size_bytes: entry.sizeBytes,
        has_pii: entry.pii !== undefined,
        pii: entry.pii ?? [],
        metrics,
        cost,
      };
    }),
    totals: () => {
      const usages = presented.map(({ usage }) => usage);
      return presentTotals(entries, usages, pricer);
    },
  };
}

function presentUsage(usages: readonly PricedUsage[]): LogResponse['metrics'] {
  const sum = { mbMs: 0, queueRequests: 0, inputTokens: 0, outputTokens: 0 };
  for (const { mbMs, queueRequests, inputTokens, outputTokens } of usages) {
    sum.mbMs += mbMs;
    sum.queueRequests += queueRequests;
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
  }
  return {
    queue_requests: sum.queueRequests,
    function_invocations: usages.length,
    function_gb_seconds: formatGbSeconds(BigInt(sum.mbMs)),
    input_tokens: sum.inputTokens,
    output_tokens: sum.outputTokens,
  };
}

/** The cost is rounded once, from the exact sum of the entries' costs. */
const presentTotals = (
  entries: readonly LogEntry[],
  usages: readonly PricedUsage[],
  pricer: EntryPricer,
): BatchTotals => ({
  logs: entries.length,
  size_bytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  pii_logs: entries.filter(({ pii }) => pii !== undefined).length,
  metrics: presentUsage(usages),
  cost: pricer.sum(usages),
});
