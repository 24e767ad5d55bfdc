import type { Architecture, CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { asLong } from '../called-model.ts';
import type { Windows } from './active-seconds.ts';
import {
  ceilDiv,
  type Exact,
  max,
  min,
  minus,
  percentOf,
  plus,
  type Ratio,
  shareOf,
  sumOf,
  times,
  toExact,
} from './exact.ts';
import {
  type EntryCounts,
  type HourCounts,
  type LevelSet,
  levelSetOf,
  type MbMs,
  type ModelCounts,
} from './hour-counts.ts';

/** The entries of an hour that are sent to the queue. */
interface SentEntries {
  entries: Exact;
  sizeBytes: Exact;
  chunks: Exact;
  mbMs: readonly MbMs[];
  /** The sum of `mbMs`. */
  totalMbMs: Exact;
  activeSeconds: number;
  /** The windows of the function. */
  windows: Windows;
}

/** An invocation gathers the messages of one second at least. */
const windowWidth = (windowSeconds: number) => Math.max(1, windowSeconds);

/**
 * Samples the entries. The sample has the active seconds of all entries.
 * @param entryMbMs the billed time of all entries.
 */
function sendEntries(
  counts: EntryCounts,
  entryMbMs: readonly MbMs[],
  { sample_percent: percent, function: fn }: CompletePipeline,
): SentEntries {
  const { ratio } = counts;
  const share = (total: Exact) => shareOf(total, percent, 100, ratio);
  const entries = share(counts.entries);
  const mbMs =
    percent === 100 && ratio === null ? entryMbMs : entryMbMs.map((row) => ({ ...row, mbMs: share(row.mbMs) }));
  return {
    entries,
    sizeBytes: share(counts.sizeBytes),
    chunks: max(entries, share(counts.chunks)),
    mbMs,
    totalMbMs: sumOf(mbMs, (row) => row.mbMs),
    activeSeconds: counts.activeSeconds,
    windows: counts.windows(windowWidth(fn.window_seconds)),
  };
}

// The billable actions of the queue in one hour.

export interface QueueActions {
  /** Requests of send actions, which carry the messages. */
  sends: Exact;
  /** Requests of receive actions, which carry the messages. */
  receives: Exact;
  /** Requests of receive actions of messages whose invocation is retried. */
  retriedReceives: Exact;
  deletes: Exact;
  /** Long polls that return no message. */
  emptyReceives: Exact;
}

const chunkBytes = 65_536;
/** Messages of one receive or delete action. */
const maxActionMessages = 10;
const pollSeconds = 20n;

/** @param seconds of the hour, up to 3,600. */
function queueActions(sent: SentEntries, pipeline: CompletePipeline, seconds: Ratio): QueueActions {
  const receives = receiveRequests(sent, pipeline);
  return {
    sends: sendRequests(sent, pipeline.queue.send_batch),
    receives,
    retriedReceives: percentOf(pipeline.retry_percent, receives),
    deletes: deleteRequests(sent, pipeline),
    emptyReceives: emptyReceives(sent, pipeline.queue.pollers, seconds),
  };
}

export function requestsOf({ sends, receives, retriedReceives, deletes, emptyReceives }: QueueActions): Exact {
  return [receives, retriedReceives, deletes, emptyReceives].reduce(plus, sends);
}

/** Batches fill over the hour. */
function sendRequests({ entries, sizeBytes, chunks }: SentEntries, batch: number): Exact {
  return batch === 1 ? chunks : min(chunks, requestsOfActions(ceilDiv(entries, batch), sizeBytes));
}

/** A receive returns the messages that are there, so it gathers those of one second. */
function receiveRequests(
  { entries, sizeBytes, chunks, activeSeconds }: SentEntries,
  pipeline: CompletePipeline,
): Exact {
  const batch = actionBatch(pipeline);
  if (batch === 1) return chunks;
  const actions = activeSeconds === 0 ? 0 : min(entries, times(activeSeconds, ceilDiv(entries, activeSeconds * batch)));
  return min(chunks, requestsOfActions(actions, sizeBytes));
}

/** Messages of an invocation are deleted together. */
function deleteRequests({ entries, windows }: SentEntries, pipeline: CompletePipeline): Exact {
  const batch = actionBatch(pipeline);
  return batch === 1 ? entries : min(entries, windows.spread(entries, batch));
}

/** Polls wait in the seconds without messages. */
function emptyReceives(
  { entries, activeSeconds }: SentEntries,
  pollers: number,
  { times: seconds, over }: Ratio,
): Exact {
  const busy = BigInt(min(entries, activeSeconds)) * over;
  return seconds <= busy ? 0 : toExact((BigInt(pollers) * (seconds - busy)) / (pollSeconds * over));
}

const actionBatch = ({ function: fn }: CompletePipeline) => Math.min(fn.batch_size, maxActionMessages);

/** An action is one request per started 64 KiB of its payload, at least one. */
function requestsOfActions(actions: Exact, sizeBytes: Exact): Exact {
  return actions === 0 ? 0 : times(actions, max(1, ceilDiv(sizeBytes, times(actions, chunkBytes))));
}

// The invocations of the function in one hour, and their billed time.

export interface FunctionRuns {
  /** Without those of retries. */
  invocations: Exact;
  retries: Exact;
  /** Invocations, also retries, that pay the initialisation. */
  coldStarts: Exact;
  /** Why there are so many invocations. */
  limit: InvocationLimit;
  /** Billed time of the entries, by the architecture that they were counted for. */
  entryMbMs: EntryMbMs[];
  overheadMbMs: Exact;
  initMbMs: Exact;
}

interface EntryMbMs {
  architecture: Architecture;
  mbMs: Exact;
  /** That of retries. */
  retried: Exact;
}

/**
 * `entries`: one each; `batch_size`: batches are full; `window`: a window ends before a batch is
 * full; `payload`: an invocation takes at most 6 MiB; `duration`: an invocation lasts at most 900
 * s; `none`: no entries.
 */
export const invocationLimits = ['none', 'entries', 'batch_size', 'window', 'payload', 'duration'] as const;
export type InvocationLimit = (typeof invocationLimits)[number];

const payloadBytes = 6_291_456;
/** The mapping adds a record around each message. */
const recordBytes = 1_024;
const maxDurationMs = 900_000;

function functionRuns(
  sent: SentEntries,
  pipeline: CompletePipeline,
  memoryMb: CompleteAssumptions['function']['memory_mb'],
): FunctionRuns {
  const { invocations, limit } = countInvocations(sent, pipeline.function.batch_size, memoryMb);
  const { retry_percent: retryPercent, function: fn } = pipeline;
  const retries = percentOf(retryPercent, invocations);
  const all = plus(invocations, retries);
  const coldStarts = percentOf(fn.cold_start_percent, all);
  return {
    invocations,
    retries,
    coldStarts,
    limit,
    entryMbMs: sent.mbMs.map(({ architecture, mbMs }) => ({
      architecture,
      mbMs,
      retried: percentOf(retryPercent, mbMs),
    })),
    overheadMbMs: times(all, memoryMb * fn.overhead_ms),
    initMbMs: times(coldStarts, memoryMb * fn.init_ms),
  };
}

function countInvocations(
  { entries, sizeBytes, totalMbMs, windows }: SentEntries,
  batchSize: number,
  memoryMb: number,
): Pick<FunctionRuns, 'invocations' | 'limit'> {
  if (entries === 0) return { invocations: 0, limit: 'none' };
  if (batchSize === 1) return { invocations: entries, limit: 'entries' };
  const byBatch = windows.spread(entries, batchSize);
  const byPayload = windows.spread(plus(sizeBytes, times(entries, recordBytes)), payloadBytes);
  const byDuration = windows.spread(totalMbMs, memoryMb * maxDurationMs);
  const most = max(byBatch, max(byPayload, byDuration));
  const invocations = min(entries, most);
  if (most > entries) return { invocations, limit: 'entries' };
  if (most > byBatch) return { invocations, limit: most === byPayload ? 'payload' : 'duration' };
  return { invocations, limit: byBatch > windows.count ? 'batch_size' : 'window' };
}

const hourSeconds = 3_600;

interface CacheOptions {
  /**
   * The ordinary lifetime of a cached prompt of a model, in seconds after its last use. Default:
   * five minutes.
   */
  cacheSeconds?: ((model: string) => number | undefined) | undefined;
  /**
   * Set for a month at a rate, which is followed by itself: the last active second of inference
   * before its first hour, in epoch seconds; −Infinity if there is none.
   */
  previous?: number;
}

/**
 * Counts the runs in which a cached prompt stays in use: it is written once in each of them. Hours
 * are added in order of time.
 */
class CacheRuns {
  readonly #isHour: boolean;
  readonly #cacheSeconds: (model: string) => number | undefined;
  readonly #isMonth: boolean;
  /** The models with calls in earlier hours. */
  readonly #seen = new Set<string>();
  /** In epoch seconds. */
  #previous: number;

  constructor({ cache_ttl: lifetime }: CompletePipeline['inference'], { cacheSeconds, previous }: CacheOptions) {
    this.#isHour = lifetime === '1h';
    this.#cacheSeconds = cacheSeconds ?? (() => undefined);
    this.#isMonth = previous !== undefined;
    this.#previous = previous ?? -Infinity;
  }

  /**
   * Adds the entries of an hour that reach the model.
   * @param start of the hour, in epoch seconds.
   * @returns the runs that begin in the hour, by model. A prompt that lives for an hour stays
   * cached at its end, and one of five minutes is written anew, except in a month at a rate.
   */
  add(counts: EntryCounts, start: number): (model: string) => number {
    const goesOn = this.#isHour || this.#isMonth;
    const previous = goesOn ? this.#previous - start : -Infinity;
    if (counts.activeSeconds > 0) this.#previous = start + counts.lastSecond;
    const isFirst = new Map<string, boolean>();
    for (const { model, entries } of counts.models) {
      if (entries === 0) continue;
      isFirst.set(model, this.#isHour && !this.#isMonth && !this.#seen.has(model));
      this.#seen.add(model);
    }
    return (model) => {
      const lifetime = this.#isHour ? hourSeconds : (this.#cacheSeconds(model) ?? 300);
      const runs = counts.runs(lifetime, previous);
      return isFirst.get(model) ? Math.max(1, runs) : runs;
    };
  }
}

// The model calls of one hour and their tokens.

export interface ModelCalls {
  model: string;
  entries: Exact;
  /** Without those of retries. */
  calls: Exact;
  retries: Exact;
  /** Tokens of the entries. */
  entryTokens: Exact;
  /** Tokens of the entries in retries. */
  retriedTokens: Exact;
  /** Tokens of the instruction that are not cached. */
  promptTokens: Exact;
  cacheWriteTokens: Exact;
  cacheReadTokens: Exact;
  outputTokens: Exact;
  retriedOutputTokens: Exact;
  /** Cached tokens that entries reported, with those of retries. */
  entryCacheReads: Exact;
  entryCacheWrites: Exact;
  entryCacheWrites1h: Exact;
}

/**
 * The calls of each model. Windows and runs are those of the entries of all models together.
 * @param counts the entries of the levels that reach the model, before sampling.
 * @param outputPerEntry output tokens of an entry that reports none.
 */
function modelCalls(
  counts: EntryCounts,
  pipeline: CompletePipeline,
  outputPerEntry: number,
  { runsOf, callLimit }: ModelTerms,
): ModelCalls[] {
  const calls: ModelCalls[] = [];
  for (const row of counts.models) {
    if (row.entries === 0) continue;
    const sampled = sampleModel(row, counts.ratio, pipeline);
    calls.push(callsOfModel(sampled, { counts, pipeline, outputPerEntry, runsOf, callLimit }));
  }
  return calls;
}

/** Both samples apply at once, so that they are rounded once. */
function sampleModel(
  row: ModelCounts,
  ratio: Ratio | null,
  { sample_percent: sent, inference }: CompletePipeline,
): ModelCounts {
  const perTenThousand = sent * inference.sample_percent;
  if (perTenThousand === 10_000 && ratio === null) return row;
  const sample = (total: Exact) => shareOf(total, perTenThousand, 10_000, ratio);
  return {
    model: row.model,
    entries: sample(row.entries),
    inputTokens: sample(row.inputTokens),
    outputTokens: sample(row.outputTokens),
    entriesWithoutOutput: sample(row.entriesWithoutOutput),
    cacheReadTokens: sample(row.cacheReadTokens),
    cacheWriteTokens: sample(row.cacheWriteTokens),
    cacheWrite1hTokens: sample(row.cacheWrite1hTokens),
  };
}

/** The terms of a model. */
interface ModelTerms {
  /** The runs of active seconds in which a cached prompt stays in use. */
  runsOf: (model: string) => number;
  /** The input tokens above which all tokens of a call have the long price. */
  callLimit: (model: string) => number | undefined;
}

interface CallTerms extends ModelTerms {
  counts: EntryCounts;
  pipeline: CompletePipeline;
  outputPerEntry: number;
}

function callsOfModel(
  row: ModelCounts,
  { counts, pipeline, outputPerEntry, runsOf, callLimit }: CallTerms,
): ModelCalls {
  const { inference } = pipeline;
  // A job is not called from the function.
  const retryPercent = inference.tier === 'batch' ? 0 : pipeline.retry_percent;
  const calls = countCalls(row.entries, counts, pipeline);
  const retries = percentOf(retryPercent, calls);
  const allCalls = plus(calls, retries);
  const withRetries = (tokens: Exact) => plus(tokens, percentOf(retryPercent, tokens));
  const { cache_prompt: isCached, prompt_tokens: prompt, output_tokens_per_call: perCall } = inference;
  const cacheWrites = isCached ? min(allCalls, runsOf(row.model)) : 0;
  // The calls of an hour have the same size.
  const ofCaches = plus(row.cacheReadTokens, plus(row.cacheWriteTokens, row.cacheWrite1hTokens));
  const input = plus(plus(row.inputTokens, ofCaches), times(calls, prompt));
  const limit = callLimit(row.model);
  const isLong = limit !== undefined && input > times(calls, limit);
  const ofEntries = plus(row.outputTokens, times(row.entriesWithoutOutput, outputPerEntry));
  return {
    model: isLong ? asLong(row.model) : row.model,
    entries: row.entries,
    calls,
    retries,
    entryTokens: row.inputTokens,
    retriedTokens: percentOf(retryPercent, row.inputTokens),
    promptTokens: isCached ? 0 : times(allCalls, prompt),
    cacheWriteTokens: times(cacheWrites, prompt),
    cacheReadTokens: isCached ? times(minus(allCalls, cacheWrites), prompt) : 0,
    outputTokens: perCall === undefined ? ofEntries : times(calls, perCall),
    retriedOutputTokens: perCall === undefined ? percentOf(retryPercent, ofEntries) : times(retries, perCall),
    entryCacheReads: withRetries(row.cacheReadTokens),
    entryCacheWrites: withRetries(row.cacheWriteTokens),
    entryCacheWrites1h: withRetries(row.cacheWrite1hTokens),
  };
}

/** No call spans two invocations; a batch job has all entries of the hour. */
function countCalls(entries: Exact, counts: EntryCounts, { function: fn, inference }: CompletePipeline): Exact {
  if (inference.tier === 'batch') return ceilDiv(entries, inference.entries_per_call);
  const size = Math.min(inference.entries_per_call, fn.batch_size);
  if (size === 1) return entries;
  return min(entries, counts.windows(windowWidth(fn.window_seconds)).spread(entries, size));
}

/** The work of a pipeline in one hour. */
export interface DerivedHour {
  /** Entries that are sent to the queue. */
  messages: Exact;
  queue: QueueActions;
  function: FunctionRuns;
  /** One row per model with entries. */
  inference: ModelCalls[];
}

export type PipelineAssumptions = CompleteAssumptions & { pipeline: CompletePipeline };

export function hasPipeline(assumptions: CompleteAssumptions): assumptions is PipelineAssumptions {
  return assumptions.pipeline !== undefined;
}

export interface DerivationOptions extends CacheOptions {
  /** Converts billed time that was counted on other assumptions. */
  convertMbMs?: ((rows: readonly MbMs[]) => readonly MbMs[]) | undefined;
  /** See `ModelTerms`. Default: no limit. */
  callLimit?: ((model: string) => number | undefined) | undefined;
}

/**
 * A function that derives what the pipeline of these assumptions does in an hour. It is called for
 * all hours with entries in order of time, because a cached prompt can live from one to the next.
 */
export function createDerivation(
  assumptions: PipelineAssumptions,
  { convertMbMs = (rows) => rows, callLimit = () => undefined, ...cache }: DerivationOptions = {},
): (hour: HourCounts) => DerivedHour {
  const { pipeline } = assumptions;
  const sentLevels = levelSetOf(pipeline.levels);
  const modelLevels = modelLevelsOf(pipeline);
  const runs = pipeline.inference.cache_prompt ? new CacheRuns(pipeline.inference, cache) : undefined;
  return (hour) => {
    const counts = hour.of(sentLevels);
    const calling = hour.of(modelLevels);
    const runsOf = runs?.add(calling, hour.start) ?? (() => 0);
    const sent = sendEntries(counts, convertMbMs(counts.mbMs), pipeline);
    return {
      messages: sent.entries,
      queue: queueActions(sent, pipeline, hour.seconds),
      function: functionRuns(sent, pipeline, assumptions.function.memory_mb),
      inference: modelCalls(calling, pipeline, assumptions.inference.output_tokens_per_entry, { runsOf, callLimit }),
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
