import {
  createEntryPricer,
  type EntryPricer,
  type PricedEntries,
  type PricedUsage,
} from '../../shared/cost/entry-cost.ts';
import { formatGbSeconds } from '../../shared/cost/money.ts';
import type { PriceBook, PriceFallback } from '../../shared/cost/price-book.ts';
import { resolvePricedUsage } from '../../shared/cost/stored-usage.ts';
import type { ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import { hashBytes, lineEnd, type OpenedEntries, openEntries } from '../../shared/ingest/log-entries.ts';
import { logEntryIdStart } from '../../shared/ingest/log-entry-id.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { ByteWriter } from '../http/byte-writer.ts';
import { JsonText } from '../http/json-text.ts';
import { CachedTexts } from './cached-texts.ts';
import type { BatchTotals, LogResponse } from './ingest.responses.ts';

/** The response for a batch, as JSON. */
export interface PresentedBatch {
  /** The number of entries. */
  count: number;
  /** The entries in order. */
  results: JsonText<LogResponse[]>;
  result: (position: number) => JsonText<LogResponse>;
  /** The sum of the entries. */
  totals: () => JsonText<BatchTotals>;
}

export type PresentBatch = (
  batch: ProcessedLogBatch,
  scenario: Pick<Scenario, 'region' | 'assumptions'>,
  book: PriceBook,
) => PresentedBatch;

/** About 400 bytes each. */
const maxUsageTexts = 10_000;
/** Size of a presented entry, without its preview. */
const entryBytes = 680;

/**
 * Creates the function that presents whole batches. A thousand entries as objects, or as texts,
 * would take several times as long to be written and collected as it takes to write their bytes.
 * The texts of usage and cost are cached, because batches differ in few of them.
 */
export function createBatchPresenter(fallback: PriceFallback): PresentBatch {
  /**
   * By what the entries of a batch have in common, and their input tokens; for entries without
   * usage of their own.
   */
  const usageTexts = new CachedTexts(maxUsageTexts);
  return (batch, { region, assumptions }, book) => {
    const { output_tokens_per_entry: assumedOutput } = applyDefaults(assumptions).inference;
    const opened = openEntries(batch);
    const pricer = createEntryPricer({ book, fallback, region });
    const { queueType, architecture, commonUsage } = batch;
    const kind = JSON.stringify([book.key, region, queueType, architecture, commonUsage, assumedOutput]);
    const writeUsage = usageTexts.ofKind(kind, (inputTokens) =>
      presentUsage(resolvePricedUsage(batch, { inputTokens }, assumedOutput), pricer),
    );
    const count = opened.columns.sizeBytes.length;
    const { bytes, ends } = writeEntries(batch, opened, { pricer, assumedOutput, writeUsage });
    return {
      count,
      results: JsonText.ofBytes(bytes),
      result: (position) =>
        // After the bracket, or after the end of the entry before and the comma.
        JsonText.ofBytes(bytes.subarray(position === 0 ? 1 : (ends[position - 1] as number) + 1, ends[position])),
      totals: () => JsonText.write(presentTotals(batch, opened, { pricer, assumedOutput })),
    };
  };
}

interface UsageTerms {
  pricer: EntryPricer;
  /** The output tokens of an entry that reports none. */
  assumedOutput: number;
}

/** @returns the list in JSON, and where each entry ends in it. */
function writeEntries(
  batch: ProcessedLogBatch,
  { hashes, columns, previews }: OpenedEntries,
  { writeUsage, pricer, assumedOutput }: UsageTerms & { writeUsage: (inputTokens: number) => string },
): { bytes: Buffer; ends: Uint32Array } {
  const { sizeBytes, inputTokens, index, source, level, pii = [], usage = [] } = columns;
  const findings = new Map(pii.map(({ at, found }) => [at, found]));
  const ownUsages = new Map(usage.map(({ at, own }) => [at, own]));
  const origins = createOriginTexts();

  const start = Buffer.from(`,{"id":"${logEntryIdStart(batch._id)}`);
  const scenarioId = JSON.stringify(batch.scenarioId);
  const afterId = Buffer.from(
    `","scenario_id":${scenarioId},"received_at":"${batch.receivedAt.toISOString()}","message_hash":"`,
  );
  const writer = new ByteWriter(sizeBytes.length * entryBytes + previews.length);
  const ends = new Uint32Array(sizeBytes.length);
  const place = new Uint8Array(2);
  let previewStart = 0;
  for (let at = 0; at < sizeBytes.length; at += 1) {
    writer.copy(start);
    // The end of `logEntryId`, without a text for it.
    place[0] = (index?.[at] ?? at) >> 8;
    place[1] = index?.[at] ?? at;
    writer.hex(place, 0, 2);
    writer.copy(afterId);
    writer.hex(hashes, at * hashBytes, (at + 1) * hashBytes);
    writer.copy(beforePreview);
    previewStart = writer.copyUntil(lineEnd, previews, previewStart) + 1;
    writer.copy(origins(source?.[at] ?? null, level?.[at] ?? null));
    writer.ascii(String(sizeBytes[at]));
    const found = findings.get(at);
    if (found) writer.ascii(`,"has_pii":true,"pii":${JSON.stringify(found)},`);
    else writer.copy(withoutFindings);
    const own = ownUsages.get(at);
    const tokens = inputTokens[at] as number;
    writer.ascii(
      own
        ? presentUsage(resolvePricedUsage(batch, { inputTokens: tokens, usage: own }, assumedOutput), pricer)
        : writeUsage(tokens),
    );
    ends[at] = writer.length;
  }
  writer.copy(listEnd);
  const { bytes } = writer;
  // In place of the first comma.
  listStart.copy(bytes);
  return { bytes, ends };
}

const beforePreview = Buffer.from('","message_preview":');
const withoutFindings = Buffer.from(',"has_pii":false,"pii":[],');
const [listStart, listEnd] = [Buffer.from('['), Buffer.from(']')];

/** The bytes that follow a preview, up to the size. Few sources and levels occur in a batch. */
function createOriginTexts(): (source: string | null, level: string | null) => Buffer {
  const known = new Map<string | null, Map<string | null, Buffer>>();
  return (source, level) => {
    const ofSource = cached(known, source, () => new Map<string | null, Buffer>());
    return cached(ofSource, level, () =>
      Buffer.from(`,"source":${JSON.stringify(source)},"level":${JSON.stringify(level)},"size_bytes":`),
    );
  };
}

/** The fields of an entry that follow from its usage, and the end of the entry. */
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
  return `"metrics":${JSON.stringify(metrics)},"cost":${JSON.stringify(cost)}}`;
}

function cached<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** The cost is rounded once, from the exact sum of the entries' costs. */
function presentTotals(
  batch: ProcessedLogBatch,
  { columns }: OpenedEntries,
  { pricer, assumedOutput }: UsageTerms,
): BatchTotals {
  const usages = sumUsages(batch, columns, assumedOutput);
  const sum = { mbMs: 0, queueRequests: 0, inputTokens: 0, outputTokens: 0 };
  for (const { mbMs, queueRequests, inputTokens, outputTokens } of usages) {
    sum.mbMs += mbMs;
    sum.queueRequests += queueRequests;
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
  }
  const { sizeBytes, pii = [] } = columns;
  return {
    logs: sizeBytes.length,
    size_bytes: addUp(sizeBytes),
    pii_logs: pii.length,
    metrics: {
      queue_requests: sum.queueRequests,
      function_invocations: sizeBytes.length,
      function_gb_seconds: formatGbSeconds(BigInt(sum.mbMs)),
      input_tokens: sum.inputTokens,
      output_tokens: sum.outputTokens,
    },
    cost: pricer.sum(usages),
  };
}

/**
 * The usage of the entries without usage of their own as one sum, and that of the others one by
 * one.
 */
function sumUsages(
  batch: ProcessedLogBatch,
  { inputTokens, usage = [] }: OpenedEntries['columns'],
  assumedOutput: number,
): PricedEntries[] {
  const usages = usage.map(
    ({ at, own }): PricedEntries =>
      resolvePricedUsage(batch, { inputTokens: inputTokens[at] as number, usage: own }, assumedOutput),
  );
  const common = inputTokens.length - usages.length;
  if (common === 0) return usages;
  const ofEntry = resolvePricedUsage(batch, { inputTokens: 0 }, assumedOutput);
  return [
    {
      ...ofEntry,
      queueRequests: ofEntry.queueRequests * common,
      mbMs: ofEntry.mbMs * common,
      inputTokens: addUp(inputTokens) - addUp(usages.map((own) => own.inputTokens)),
      outputTokens: ofEntry.outputTokens * common,
      invocations: common,
    },
    ...usages,
  ];
}

const addUp = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
