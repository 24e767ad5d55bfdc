import type { CallLimits, TokenMultipliers } from '../../shared/cost/price-book.ts';
import { sha256 } from '../../shared/crypto/sha256.ts';
import type { AcceptedBatch, AcceptedEntry } from '../../shared/ingest/batch-text.ts';
import {
  type BatchResults,
  type CommonUsage,
  type EntryColumns,
  hashBytes,
  packEntries,
} from '../../shared/ingest/log-batch.model.ts';
import { createTokenCounter } from '../../shared/metering/count-tokens.ts';
import { meterEntry } from '../../shared/metering/meter-entry.ts';
import type { TokenRanks } from '../../shared/metering/token-ranks.ts';
import { countFindings, findInEntry, findInFields } from '../../shared/pii/entry-findings.ts';
import { redactedPreview } from '../../shared/pii/redact.ts';
import { createScanner, type ScannerOptions } from '../../shared/pii/scan-personal-data.ts';
import { type Assumptions, applyDefaults } from '../../shared/scenarios/assumptions.ts';
import { type BatchUsage, cacheCounters } from '../../shared/usage/stored-hour.ts';
import { type EntryUsage, UsageTally } from '../../shared/usage/usage-tally.ts';

const previewCharacters = 200;

export interface ProcessedBatch extends BatchResults {
  /** Usage of all entries, by the hours of their timestamps. */
  usage: BatchUsage;
}

/** By what the entries of a scenario are counted. */
export interface CountingTerms {
  assumptions: Assumptions;
  /** From the price book of the scenario. */
  tokenMultipliers: TokenMultipliers;
  callLimits: CallLimits;
}

/** @param options.pii default: all kinds of all countries. */
export function createBatchTools({ pii, tokenRanks }: { pii?: ScannerOptions; tokenRanks: TokenRanks }) {
  return { scan: createScanner(pii), countTokens: createTokenCounter(tokenRanks) };
}

/** Hashes, scans, redacts and meters every entry. Deterministic. A hostile batch takes seconds. */
export function processBatch(
  { receivedAt, origins = [], entries }: AcceptedBatch,
  { assumptions, ...prices }: CountingTerms,
  batchTools: ReturnType<typeof createBatchTools>,
): ProcessedBatch {
  const tools = { ...batchTools, ...prices };
  const completeAssumptions = applyDefaults(assumptions);
  const tally = new UsageTally();
  // Not of the pool of small buffers, which would be sent with it.
  const hashes = Buffer.from(new ArrayBuffer(hashBytes * entries.length));
  const previews: string[] = [];
  const columns: EntryColumns = { sizeBytes: [], inputTokens: [] };
  let first: EntryUsage | undefined;
  const ofOrigins = origins.map((fields) => findInFields(fields, tools.scan));
  // A function per entry: the engine optimizes it before the first batch has ended.
  const add = (entry: AcceptedEntry, at: number) => {
    const shared = entry.origin === undefined ? undefined : ofOrigins[entry.origin];
    const { inMessage, located } = findInEntry(entry, tools.scan, shared);
    const found = countFindings(located);
    if (found.length > 0) (columns.pii ??= []).push({ at, found });
    const usage = meterEntry(entry, completeAssumptions, tools);
    tally.add(usage, found);
    first ??= usage;
    const own = pickDifferentUsage(usage, first);
    if (own) (columns.usage ??= []).push({ at, own });
    hashes.write(sha256(entry.message, 'hex'), at * hashBytes, 'hex');
    previews.push(redactedPreview(entry.message, inMessage, previewCharacters));
    columns.sizeBytes.push(usage.sizeBytes);
    columns.inputTokens.push(usage.inputTokens);
  };
  entries.forEach(add);
  if (!first) throw new RangeError('The batch has no entries.');
  addOptionalColumns(columns, receivedAt, entries);
  return {
    queueType: completeAssumptions.queue.type,
    architecture: completeAssumptions.function.architecture,
    commonUsage: toCommonUsage(first),
    packed: packEntries(columns, previews, hashes),
    usage: tally.hours(),
  };
}

/** Adds the optional columns in which at least one entry differs from the default. */
function addOptionalColumns(columns: EntryColumns, receivedAt: number, entries: readonly AcceptedEntry[]): void {
  if (entries.some(({ index }, at) => index !== at)) columns.index = entries.map(({ index }) => index);
  if (entries.some(({ timestamp }) => timestamp !== receivedAt)) {
    columns.timestamp = entries.map(({ timestamp }) => timestamp);
  }
  for (const name of ['source', 'level'] as const) {
    if (entries.some((entry) => entry[name] !== undefined)) columns[name] = entries.map((entry) => entry[name] ?? null);
  }
}

const commonFields = ['queueRequests', 'memoryMb', 'billedMs', 'model', 'outputTokens'] as const;
const allFields = [...commonFields, ...cacheCounters];

const pick = (usage: EntryUsage, names: readonly (keyof CommonUsage)[]): Partial<CommonUsage> =>
  Object.fromEntries(names.map((name) => [name, usage[name]]));

/** The usage of the first entry is the common usage of a batch. */
const toCommonUsage = (usage: EntryUsage) =>
  pick(usage, [...commonFields, ...cacheCounters.filter((name) => usage[name] > 0)]) as CommonUsage;

/** The fields of an entry's usage that differ from those of the first entry, if any. */
function pickDifferentUsage(usage: EntryUsage, first: EntryUsage): Partial<CommonUsage> | undefined {
  const names = allFields.filter((name) => usage[name] !== first[name]);
  return names.length === 0 ? undefined : pick(usage, names);
}
