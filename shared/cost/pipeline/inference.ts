// The model calls of one hour and their tokens.
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { asLong } from '../called-model.ts';
import { ceilDiv, type Exact, min, minus, percentOf, plus, type Ratio, shareOf, times } from './exact.ts';
import type { EntryCounts, ModelCounts } from './hour-counts.ts';
import { windowWidth } from './sent-entries.ts';

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
}

/**
 * The calls of each model. Windows and runs are those of the entries of all models together.
 * @param counts the entries of the levels that reach the model, before sampling.
 * @param outputPerEntry output tokens of an entry that reports none.
 */
export function modelCalls(
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
  };
}

/** The terms of a model. */
export interface ModelTerms {
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
  const { cache_prompt: isCached, prompt_tokens: prompt, output_tokens_per_call: perCall } = inference;
  const cacheWrites = isCached ? min(allCalls, runsOf(row.model)) : 0;
  // The calls of an hour have the same size.
  const input = plus(row.inputTokens, times(calls, prompt));
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
  };
}

/** No call spans two invocations; a batch job has all entries of the hour. */
function countCalls(entries: Exact, counts: EntryCounts, { function: fn, inference }: CompletePipeline): Exact {
  if (inference.tier === 'batch') return ceilDiv(entries, inference.entries_per_call);
  const size = Math.min(inference.entries_per_call, fn.batch_size);
  if (size === 1) return entries;
  return min(entries, counts.windows(windowWidth(fn.window_seconds)).spread(entries, size));
}
