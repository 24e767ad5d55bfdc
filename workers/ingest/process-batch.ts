import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommonUsage, LogBatch, LogEntry, PiiCount } from '../../shared/models/log-batch.model.ts';
import { type Assumptions, applyDefaults } from '../../shared/pricing/assumptions.ts';
import type { PriceBook } from '../../shared/pricing/price-book.ts';
import { type EntryUsage, type HourUsage, UsageTally } from '../../shared/pricing/usage.ts';
import type { SpooledBatch } from '../../shared/services/ingest-spool.ts';
import type { Finding } from '../pii/finding.ts';
import { redactedPreview } from '../pii/redact.ts';
import { meterEntry } from './meter-entry.ts';

const previewCharacters = 200;

export interface ProcessedBatch extends Pick<LogBatch, 'queueType' | 'architecture' | 'commonUsage' | 'entries'> {
  /** Usage of all entries, by the hours of their timestamps. */
  hours: HourUsage[];
}

/**
 * A hostile batch takes seconds. After this time, the worker yields to the event loop, which renews the locks of its
 * jobs.
 */
const maxTurnMs = 50;

/** Hashes, scans, redacts and meters every entry of a batch. The result is deterministic. */
export async function processBatch(
  batch: SpooledBatch,
  assumptions: Assumptions,
  tools: { scan: (text: string) => Finding[]; priceBook: PriceBook },
): Promise<ProcessedBatch> {
  const completeAssumptions = applyDefaults(assumptions);
  const tally = new UsageTally();
  const entries: LogEntry[] = [];
  let commonUsage: CommonUsage | undefined;
  let turnBegan = performance.now();
  for (const entry of batch.entries) {
    const findings = tools.scan(entry.message);
    const pii = countFindings(findings);
    const usage = meterEntry(entry, completeAssumptions, tools.priceBook);
    tally.add(usage, pii);
    commonUsage ??= toCommonUsage(usage);
    entries.push({
      ...(entry.index === entries.length ? {} : { index: entry.index }),
      ...(entry.timestamp === batch.receivedAt ? {} : { timestamp: new Date(entry.timestamp) }),
      hash: hash('sha256', entry.message),
      preview: redactedPreview(entry.message, findings, previewCharacters),
      ...(entry.source === undefined ? {} : { source: entry.source }),
      ...(entry.level === undefined ? {} : { level: entry.level }),
      sizeBytes: usage.sizeBytes,
      ...(pii.length > 0 ? { pii } : {}),
      inputTokens: usage.inputTokens,
      ...pickDifferentUsage(usage, commonUsage),
    });
    if (performance.now() - turnBegan > maxTurnMs) {
      await nextTurn();
      turnBegan = performance.now();
    }
  }
  if (!commonUsage) throw new RangeError('The batch has no entries.');
  return {
    queueType: completeAssumptions.queue.type,
    architecture: completeAssumptions.function.architecture,
    commonUsage,
    entries,
    hours: tally.hours(),
  };
}

/** The usage of the first entry is the common usage of a batch. */
function toCommonUsage({ queueRequests, memoryMb, billedMs, model, outputTokens }: EntryUsage): CommonUsage {
  return { queueRequests, memoryMb, billedMs, model, outputTokens };
}

/** The fields of an entry's usage that differ from the common usage, if any. */
function pickDifferentUsage(usage: EntryUsage, common: CommonUsage): { usage?: Partial<CommonUsage> } {
  if (commonFields.every((name) => usage[name] === common[name])) return {};
  const names = commonFields.filter((name) => usage[name] !== common[name]);
  return { usage: Object.fromEntries(names.map((name) => [name, usage[name]])) };
}

const commonFields = ['queueRequests', 'memoryMb', 'billedMs', 'model', 'outputTokens'] as const;

/** Counts the findings of each type, and of each country for national ids. */
function countFindings(findings: readonly Finding[]): PiiCount[] {
  const counts: PiiCount[] = [];
  for (const { type, country } of findings) {
    const same = counts.find((row) => row.type === type && row.country === country);
    if (same) same.count += 1;
    else counts.push({ type, count: 1, ...(country === undefined ? {} : { country }) });
  }
  return counts;
}
