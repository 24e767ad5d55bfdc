import type { CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import {
  type FunctionCounters,
  fieldOfModel,
  type LevelModelCounters,
  type ModelCounters,
  mergeCounters,
  modelOfField,
} from '../../usage/stored-hour.ts';
import { asLong, splitCall } from '../called-model.ts';
import { ceilDiv, max, min, percentOf, type Ratio, scale, scaleCounters, sumOf } from '../integers.ts';
import type { Model, PriceBook } from '../price-book.ts';
import { convertFunctions } from '../terms.ts';
import { type EntryCounts, type HourCounts, type LevelSet, levelSetOf, secondsPerHour } from './hour-counts.ts';
import type { FunctionParts, InferenceParts, InvocationLimit, PipelineWork, QueueParts } from './pipeline-work.ts';

/** An invocation gathers the messages of one second at least. */
const windowWidth = ({ function: fn }: CompletePipeline) => Math.max(1, fn.window_seconds);

/** The entries of an hour that are sent to the queue. */
type SentEntries = ReturnType<typeof sendEntries>;

/**
 * Samples the entries. The sample has the active seconds of all entries.
 * @param functions the billed time of all entries.
 */
function sendEntries(counts: EntryCounts, functions: EntryCounts['functions'], pipeline: CompletePipeline) {
  const ratio = sampleOf(counts, pipeline.sample_percent, 100);
  const entries = scale(counts.entries, ratio);
  const sent = scaleCounters(functions, ratio);
  return {
    entries,
    sizeBytes: scale(counts.sizeBytes, ratio),
    chunks: max(entries, scale(counts.chunks, ratio)),
    functions: sent,
    /** The billed time of all architectures. */
    mbMs: sumOf(Object.values(sent), ({ mbMs }) => mbMs),
    activeSeconds: BigInt(counts.activeSeconds),
    /** The windows of the function. */
    windows: counts.windows(windowWidth(pipeline)),
  };
}

/** A sample of the entries at their volume, so that both are rounded once. */
const sampleOf = ({ ratio }: EntryCounts, part: number, whole: number): Ratio =>
  part === whole ? ratio : { times: BigInt(part) * ratio.times, over: BigInt(whole) * ratio.over };

// The billable actions of the queue in one hour.

const chunkBytes = 65_536n;
/** Messages of one receive or delete action. */
const maxActionMessages = 10;
const pollSeconds = 20n;

/** @param length the seconds of the hour, up to 3,600. */
function queueParts(sent: SentEntries, pipeline: CompletePipeline, length: Ratio): QueueParts {
  const { entries, sizeBytes, chunks, activeSeconds, windows } = sent;
  const { send_batch: sendBatch, pollers } = pipeline.queue;
  const batch = BigInt(Math.min(pipeline.function.batch_size, maxActionMessages));
  /** An action is one request per started 64 KiB of its payload, at least one. */
  const requestsOf = (actions: bigint) =>
    actions === 0n ? 0n : min(chunks, actions * max(1n, ceilDiv(sizeBytes, actions * chunkBytes)));
  // A receive returns the messages that are there, so it gathers those of one second.
  const isGathered = batch > 1n && activeSeconds > 0n;
  const gathered = () => min(entries, activeSeconds * ceilDiv(entries, activeSeconds * batch));
  const receives = isGathered ? requestsOf(gathered()) : chunks;
  const busy = min(entries, activeSeconds) * length.over;
  const idle = max(0n, length.times - busy);
  return {
    // Batches fill over the hour.
    sends: sendBatch === 1 ? chunks : requestsOf(ceilDiv(entries, BigInt(sendBatch))),
    receives,
    retried_receives: percentOf(pipeline.retry_percent, receives),
    // Messages of an invocation are deleted together.
    deletes: batch === 1n ? entries : min(entries, windows.spread(entries, batch)),
    // Polls wait in the seconds without messages.
    empty_receives: (BigInt(pollers) * idle) / (pollSeconds * length.over),
  };
}

// The invocations of the function in one hour, and their billed time.

const payloadBytes = 6_291_456n;
/** The mapping adds a record around each message. */
const recordBytes = 1_024n;
const maxDurationMs = 900_000n;

function countInvocations(
  { entries, sizeBytes, mbMs, windows }: SentEntries,
  { pipeline, function: fn }: PipelineAssumptions,
): { invocations: bigint; limit: InvocationLimit } {
  if (entries === 0n) return { invocations: 0n, limit: 'none' };
  if (pipeline.function.batch_size === 1) return { invocations: entries, limit: 'entries' };
  const byBatch = windows.spread(entries, BigInt(pipeline.function.batch_size));
  const byPayload = windows.spread(sizeBytes + entries * recordBytes, payloadBytes);
  const byDuration = windows.spread(mbMs, BigInt(fn.memory_mb) * maxDurationMs);
  const most = max(byBatch, max(byPayload, byDuration));
  if (most > entries) return { invocations: entries, limit: 'entries' };
  if (most > byBatch) return { invocations: most, limit: most === byPayload ? 'payload' : 'duration' };
  return { invocations: most, limit: byBatch > windows.count ? 'batch_size' : 'window' };
}

/**
 * Billed time of entries belongs to the architecture that it was counted for, everything else to
 * that of the scenario.
 */
function functionWork(invocations: bigint, { mbMs, functions }: SentEntries, assumptions: PipelineAssumptions) {
  const { retry_percent: retryPercent, function: fn } = assumptions.pipeline;
  const memoryMb = BigInt(assumptions.function.memory_mb);
  const retries = percentOf(retryPercent, invocations);
  const coldStarts = percentOf(fn.cold_start_percent, invocations + retries);
  const usage: Record<string, FunctionCounters> = {};
  let retriedCompute = 0n;
  for (const [architecture, { mbMs: billed }] of Object.entries(functions)) {
    const retried = percentOf(retryPercent, billed);
    retriedCompute += retried;
    usage[architecture] = { invocations: 0n, mbMs: billed + retried };
  }
  const parts: FunctionParts = {
    invocations,
    retried_invocations: retries,
    cold_starts: coldStarts,
    entry_compute: mbMs,
    retried_compute: retriedCompute,
    overhead_compute: (invocations + retries) * memoryMb * BigInt(fn.overhead_ms),
    init_compute: coldStarts * memoryMb * BigInt(fn.init_ms),
  };
  const own = { invocations: invocations + retries, mbMs: parts.overhead_compute + parts.init_compute };
  mergeCounters(usage, { [assumptions.function.architecture]: own });
  return { parts, usage };
}

// The runs in which a cached prompt stays in use: it is written once in each of them.

/** The runs that begin in an hour, by the field of the model. */
type RunsOf = (field: string) => number;

/**
 * Counts the runs of hours that are added in order of time, by the entries that reach the model. A
 * prompt that lives for an hour stays cached at the end of an hour, and one of five minutes is
 * written anew, except in a month at a rate.
 */
function createCacheRuns({ assumptions, previous }: DerivationTerms, modelOf: ModelOf) {
  const isForAnHour = assumptions.pipeline.inference.cache_ttl === '1h';
  const isMonth = previous !== undefined;
  /** The models with calls in earlier hours. */
  const seen = new Set<string>();
  /** In epoch seconds. */
  let last = previous ?? -Infinity;
  return (counts: EntryCounts, start: number): RunsOf => {
    const lastBefore = isForAnHour || isMonth ? last - start : -Infinity;
    if (counts.activeSeconds > 0) last = start + counts.lastSecond;
    const isFirst = new Map<string, boolean>();
    for (const { field, row } of counts.inference) {
      if (row.entries === 0n) continue;
      isFirst.set(field, isForAnHour && !isMonth && !seen.has(field));
      seen.add(field);
    }
    return (field) => {
      const lifetime = isForAnHour ? secondsPerHour : (modelOf(field)?.cache_seconds ?? 300);
      const runs = counts.runs(lifetime, lastBefore);
      return isFirst.get(field) ? Math.max(1, runs) : runs;
    };
  };
}

// The model calls of one hour and their tokens.

/** The calls of a model in the form in which usage is priced. */
export interface CallCounters extends ModelCounters<bigint> {
  /** Tokens of the cache writes that entries reported. */
  entryWriteTokens: bigint;
}

/**
 * The calls of a model. Windows and runs are those of the entries of all models together.
 * @param row the entries of the model that reach it, sampled.
 * @param counts the entries of all models.
 */
function callsOfModel(
  { field, row }: { field: string; row: LevelModelCounters<bigint> },
  counts: EntryCounts,
  { pipeline, inference: { output_tokens_per_entry: outputPerEntry } }: PipelineAssumptions,
  { runsOf, modelOf }: { runsOf: RunsOf; modelOf: ModelOf },
): { parts: InferenceParts; field: string; usage: CallCounters } {
  const { inference } = pipeline;
  const { cacheReadTokens: read = 0n, cacheWriteTokens: written = 0n, cacheWrite1hTokens: written1h = 0n } = row;
  // A job is not called from the function.
  const retryPercent = inference.tier === 'batch' ? 0 : pipeline.retry_percent;
  const retriesOf = (count: bigint) => percentOf(retryPercent, count);
  const withRetries = (count: bigint) => count + retriesOf(count);
  const calls = countCalls(row.entries, counts, pipeline);
  const retries = retriesOf(calls);
  const isCached = inference.cache_prompt;
  const prompt = BigInt(inference.prompt_tokens);
  const promptTokens = (calls + retries) * prompt;
  const promptWrites = isCached ? min(calls + retries, BigInt(runsOf(field))) * prompt : 0n;
  const promptReads = isCached ? promptTokens - promptWrites : 0n;
  // The calls of an hour have the same size.
  const limit = modelOf(field)?.long_context_above;
  const input = row.inputTokens + read + written + written1h + calls * prompt;
  const isLong = limit !== undefined && input > calls * BigInt(limit);
  const perCall = inference.output_tokens_per_call;
  const ofEntries = row.outputTokens + (row.entriesWithoutOutput ?? 0n) * BigInt(outputPerEntry);
  const [output, retriedOutput] =
    perCall === undefined ? [ofEntries, retriesOf(ofEntries)] : [calls * BigInt(perCall), retries * BigInt(perCall)];
  const [entryWrites, entryWrites1h] = [withRetries(written), withRetries(written1h)];
  const isForAnHour = inference.cache_ttl === '1h';
  const parts: InferenceParts = {
    calls,
    retried_calls: retries,
    entry_tokens: row.inputTokens,
    retried_tokens: retriesOf(row.inputTokens),
    prompt_tokens: isCached ? 0n : promptTokens,
    cache_write_tokens: promptWrites + entryWrites + entryWrites1h,
    cache_read_tokens: promptReads + withRetries(read),
    output_tokens: output,
    retried_output_tokens: retriedOutput,
  };
  const usage: CallCounters = {
    inputTokens: parts.entry_tokens + parts.retried_tokens + parts.prompt_tokens,
    outputTokens: output + retriedOutput,
    calls: calls + retries,
    cacheReadTokens: parts.cache_read_tokens,
    cacheWriteTokens: entryWrites + (isForAnHour ? 0n : promptWrites),
    cacheWrite1hTokens: entryWrites1h + (isForAnHour ? promptWrites : 0n),
    // Cache writes of entries have lifetimes that do not depend on that of the instruction.
    entryWriteTokens: isForAnHour ? entryWrites1h : entryWrites,
  };
  return { parts, field: isLong ? fieldOfModel(asLong(modelOfField(field))) : field, usage };
}

/** No call spans two invocations; a batch job has all entries of the hour. */
function countCalls(entries: bigint, counts: EntryCounts, pipeline: CompletePipeline): bigint {
  const { function: fn, inference } = pipeline;
  if (inference.tier === 'batch') return ceilDiv(entries, BigInt(inference.entries_per_call));
  const size = Math.min(inference.entries_per_call, fn.batch_size);
  return size === 1 ? entries : min(entries, counts.windows(windowWidth(pipeline)).spread(entries, BigInt(size)));
}

export type PipelineAssumptions = CompleteAssumptions & { pipeline: CompletePipeline };

export function hasPipeline(assumptions: CompleteAssumptions): assumptions is PipelineAssumptions {
  return assumptions.pipeline !== undefined;
}

/** How a pipeline is derived from the counters of a scenario. */
export interface DerivationTerms {
  assumptions: PipelineAssumptions;
  /** The assumptions that the entries were counted on. */
  counted: CompleteAssumptions;
  /** The limits of calls and the lifetimes of caches. */
  book: Pick<PriceBook, 'model'>;
  /** See `MonthTerms`. */
  asModel?: string | undefined;
  /**
   * Set for a month at a rate, which is followed by itself: the last active second of inference
   * before its first hour, in epoch seconds; −Infinity if there is none.
   */
  previous?: number;
}

/** By the field of a model as it is called. */
type ModelOf = (field: string) => Model | undefined;

/**
 * A function that derives what the pipeline of these terms does in an hour. It is called for all
 * hours with entries in order of time, because a cached prompt can live from one to the next.
 */
export function createDerivation(terms: DerivationTerms) {
  const { assumptions, counted, book, asModel } = terms;
  const { pipeline, queue, function: fn } = assumptions;
  const sentLevels = levelSetOf(pipeline.levels);
  const modelLevels = modelLevelsOf(pipeline);
  const models = new Map<string, Model | undefined>();
  const modelOf: ModelOf = (field) => {
    if (!models.has(field)) models.set(field, book.model(asModel ?? splitCall(modelOfField(field)).model));
    return models.get(field);
  };
  const runsOfHour = pipeline.inference.cache_prompt ? createCacheRuns(terms, modelOf) : () => () => 0;
  return (hour: HourCounts) => {
    const counts = hour.of(sentLevels);
    const calling = hour.of(modelLevels);
    const runsOf = runsOfHour(calling, hour.start);
    const sent = sendEntries(counts, convertFunctions(counts.functions, counted.function, fn), pipeline);
    const requests = queueParts(sent, pipeline, hour.seconds);
    const sum = sumOf(Object.values(requests), (count) => count);
    const { invocations, limit } = countInvocations(sent, assumptions);
    const runs = functionWork(invocations, sent, assumptions);
    // Both samples apply at once, so that they are rounded once.
    const sample = sampleOf(calling, pipeline.sample_percent * pipeline.inference.sample_percent, 10_000);
    const reaching = calling.inference
      .filter(({ row }) => row.entries > 0n)
      .map(({ field, row }) => ({ field, row: scaleCounters(row, sample) }));
    const calls = reaching.map((model) => callsOfModel(model, calling, assumptions, { runsOf, modelOf }));
    const [first, ...others] = calls.map(({ parts }) => parts);
    for (const other of others) mergeCounters(first as InferenceParts, other);
    const inference: Record<string, CallCounters> = {};
    // Calls that the pipeline makes long are added to those that were long.
    for (const { field, usage } of calls) mergeCounters(inference, { [field]: usage });
    return {
      queues: { [queue.type]: sum },
      emptyReceives: requests.empty_receives,
      functions: runs.usage,
      inference,
      work: {
        parts: { queue: requests, function: runs.parts, ...(first && { inference: first }) },
        messages: sent.entries,
        modelEntries: sumOf(reaching, ({ row }) => row.entries),
        invocationsBy: { [limit]: invocations },
      } satisfies PipelineWork,
    };
  };
}

/** The levels of the entries that reach the model. */
export const modelLevelsOf = ({ levels, inference }: CompletePipeline): LevelSet =>
  levelSetOf(levels) & levelSetOf(inference.levels);

/**
 * Whether the hours before a period matter for it: a prompt that lives for an hour can be cached.
 */
export const dependsOnEarlierHours = ({ pipeline: { inference } }: PipelineAssumptions): boolean =>
  inference.cache_prompt && inference.cache_ttl === '1h';

/** Whether hours without entries have usage. */
export const hasPolls = ({ pipeline }: PipelineAssumptions): boolean => pipeline.queue.pollers > 0;
