import type { LogBatch, LogEntry } from '../../../shared/models/log-batch.model.ts';
import { entriesOf } from '../../../shared/models/log-entries.ts';
import type { EntryPricer, PricedEntries, PricedUsage } from '../../../shared/pricing/entry-cost.ts';
import { formatGbSeconds } from '../../../shared/pricing/money.ts';
import { resolvePricedUsage } from '../../../shared/pricing/stored-usage.ts';
import { logEntryId } from '../../../shared/services/log-entry-id.ts';
import { JsonText } from '../../routing/json-text.ts';
import type { BatchTotals, LogResponse } from './ingest.answers.ts';

/**
 * Presents a whole batch: the entries in order, each as JSON, and the sum of the entries. A thousand entries as objects
 * would take as long again to be written, and more memory than the rest of the request.
 */
export function presentBatch(
  batch: LogBatch,
  pricer: EntryPricer,
): { results: JsonText<LogResponse>[]; totals: BatchTotals } {
  const entries = entriesOf(batch);
  const present = createEntryPresenter(batch, pricer);
  return { results: entries.map(present), totals: presentTotals(batch, entries, pricer) };
}

/** Most entries of a batch differ in few values, so that what they have in common is written once. */
function createEntryPresenter(batch: LogBatch, pricer: EntryPricer) {
  const ofBatch = `"scenario_id":${JSON.stringify(batch.scenarioId)},"received_at":"${batch.receivedAt.toISOString()}"`;
  const texts = new Map<string, string>();
  const writeText = (text: string | undefined) =>
    text === undefined ? 'null' : cached(texts, text, () => JSON.stringify(text));
  /** By input tokens, for entries without usage of their own. */
  const usages = new Map<number, string>();
  const writeUsage = (entry: LogEntry) =>
    entry.usage
      ? presentUsage(resolvePricedUsage(batch, entry), pricer)
      : cached(usages, entry.inputTokens, () => presentUsage(resolvePricedUsage(batch, entry), pricer));
  return (entry: LogEntry, position: number): JsonText<LogResponse> =>
    JsonText.of(
      `{"id":"${logEntryId(batch._id, entry.index ?? position)}",${ofBatch},"message_hash":"${entry.hash}",` +
        `"message_preview":${JSON.stringify(entry.preview)},"source":${writeText(entry.source)},` +
        `"level":${writeText(entry.level)},"size_bytes":${entry.sizeBytes},` +
        `${entry.pii ? `"has_pii":true,"pii":${JSON.stringify(entry.pii)}` : '"has_pii":false,"pii":[]'},` +
        `${writeUsage(entry)}}`,
    );
}

/** The fields of an entry that follow from its usage. */
function presentUsage(usage: PricedUsage, pricer: EntryPricer): string {
  const { metrics, cost }: Pick<LogResponse, 'metrics' | 'cost'> = {
    metrics: {
      queue_requests: usage.queueRequests,
      function_invocations: 1,
      function_gb_seconds: formatGbSeconds(BigInt(usage.mbMs)),
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
    },
    cost: pricer.price(usage),
  };
  return `"metrics":${JSON.stringify(metrics)},"cost":${JSON.stringify(cost)}`;
}

function cached<Key>(known: Map<Key, string>, key: Key, write: () => string): string {
  let text = known.get(key);
  if (text === undefined) {
    text = write();
    known.set(key, text);
  }
  return text;
}

/** The cost is rounded once, from the exact sum of the entries' costs. */
function presentTotals(batch: LogBatch, entries: readonly LogEntry[], pricer: EntryPricer): BatchTotals {
  const usages = sumUsages(batch, entries);
  const sum = { mbMs: 0, queueRequests: 0, inputTokens: 0, outputTokens: 0 };
  for (const { mbMs, queueRequests, inputTokens, outputTokens } of usages) {
    sum.mbMs += mbMs;
    sum.queueRequests += queueRequests;
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
  }
  return {
    logs: entries.length,
    size_bytes: entries.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
    pii_logs: entries.filter(({ pii }) => pii !== undefined).length,
    metrics: {
      queue_requests: sum.queueRequests,
      function_invocations: entries.length,
      function_gb_seconds: formatGbSeconds(BigInt(sum.mbMs)),
      input_tokens: sum.inputTokens,
      output_tokens: sum.outputTokens,
    },
    cost: pricer.sum(usages),
  };
}

/** The usage of the entries without usage of their own as one sum, and that of the others one by one. */
function sumUsages(batch: LogBatch, entries: readonly LogEntry[]): PricedEntries[] {
  const [first] = entries;
  if (!first) return [];
  const usages: PricedEntries[] = [];
  let common = 0;
  let inputTokens = 0;
  for (const entry of entries) {
    if (entry.usage) usages.push(resolvePricedUsage(batch, entry));
    else {
      common += 1;
      inputTokens += entry.inputTokens;
    }
  }
  if (common === 0) return usages;
  const { queueRequests, memoryMb, billedMs, model, outputTokens } = batch.commonUsage;
  return [
    {
      queueType: batch.queueType,
      architecture: batch.architecture,
      queueRequests: queueRequests * common,
      mbMs: memoryMb * billedMs * common,
      model,
      inputTokens,
      outputTokens: outputTokens * common,
      invocations: common,
    },
    ...usages,
  ];
}
