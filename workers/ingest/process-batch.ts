import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpooledBatch } from '../../shared/ingest-spool.ts';
import type { CommonUsage, LogBatch, LogEntry, PiiCount } from '../../shared/models/log-batch.model.ts';
import { type Assumptions, applyDefaults } from '../../shared/pricing/assumptions.ts';
import type { PriceBook } from '../../shared/pricing/price-book.ts';
import { type EntryUsage, type HourUsage, UsageTally } from '../../shared/pricing/usage.ts';
import { redactedPreview } from '../pii/redact.ts';
import type { Finding } from '../pii/scan-personal-data.ts';
import { meterEntry } from './meter-entry.ts';

const previewCharacters = 200;

export interface ProcessedBatch extends Pick<LogBatch, 'queueType' | 'architecture' | 'commonUsage' | 'entries'> {
  /** Exact usage of all entries, per hour of their timestamps. */
  hours: HourUsage[];
}

/** A batch of hostile lines can keep a processor busy for seconds; the locks of its jobs must be renewed meanwhile. */
const longestTurnMs = 50;

/** Hashes, scans, redacts and meters every entry of a batch. The same batch gives the same result. */
export async function processBatch(
  batch: SpooledBatch,
  assumptions: Assumptions,
  tools: { scan: (text: string) => Finding[]; priceBook: PriceBook },
): Promise<ProcessedBatch> {
  const settled = applyDefaults(assumptions);
  const tally = new UsageTally();
  const entries: LogEntry[] = [];
  let commonUsage: CommonUsage | undefined;
  let turnBegan = performance.now();
  for (const entry of batch.entries) {
    const findings = tools.scan(entry.message);
    const pii = countFindings(findings);
    const usage = meterEntry(entry, settled, tools.priceBook);
    tally.add(usage, pii);
    commonUsage ??= commonOf(usage);
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
      ...difference(usage, commonUsage),
    });
    if (performance.now() - turnBegan > longestTurnMs) {
      await nextTurn();
      turnBegan = performance.now();
    }
  }
  if (!commonUsage) throw new RangeError('a batch holds at least one entry');
  return {
    queueType: settled.queue.type,
    architecture: settled.function.architecture,
    commonUsage,
    entries,
    hours: tally.hours(),
  };
}

/** The usage of the first entry is the batch's common one. */
function commonOf({ queueRequests, memoryMb, billedMs, model, outputTokens }: EntryUsage): CommonUsage {
  return { queueRequests, memoryMb, billedMs, model, outputTokens };
}

/** What of an entry's usage is not as it is in common, if anything. */
function difference(usage: EntryUsage, common: CommonUsage): { usage?: Partial<CommonUsage> } {
  if (commonNames.every((name) => usage[name] === common[name])) return {};
  const names = commonNames.filter((name) => usage[name] !== common[name]);
  return { usage: Object.fromEntries(names.map((name) => [name, usage[name]])) };
}

const commonNames = ['queueRequests', 'memoryMb', 'billedMs', 'model', 'outputTokens'] as const;

/** One row per type, and per country for national ids. */
function countFindings(findings: readonly Finding[]): PiiCount[] {
  const counts: PiiCount[] = [];
  for (const { type, country } of findings) {
    const same = counts.find((row) => row.type === type && row.country === country);
    if (same) same.count += 1;
    else counts.push({ type, count: 1, ...(country === undefined ? {} : { country }) });
  }
  return counts;
}
