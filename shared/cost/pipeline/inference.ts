// The model calls of one hour and their tokens.
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { ceilDiv, min, percentOf } from './exact.ts';
import type { EntryCounts, ModelCounts } from './hour-counts.ts';
import { windowWidth } from './sent-entries.ts';

export interface ModelCalls {
  model: string;
  entries: bigint;
  /** Without those of retries. */
  calls: bigint;
  retries: bigint;
  /** Tokens of the entries. */
  entryTokens: bigint;
  /** Tokens of the entries in retries. */
  retriedTokens: bigint;
  /** Tokens of the instruction that are not cached. */
  promptTokens: bigint;
  cacheWriteTokens: bigint;
  cacheReadTokens: bigint;
  outputTokens: bigint;
  retriedOutputTokens: bigint;
}

/**
 * The calls of each model. Windows and runs are those of the entries of all models together.
 * @param counts the entries of the levels that reach the model, before sampling.
 * @param outputPerEntry output tokens of an entry that reports none.
 */
export function modelCalls(counts: EntryCounts, pipeline: CompletePipeline, outputPerEntry: number): ModelCalls[] {
  return counts.models
    .filter(({ entries }) => entries > 0n)
    .map((row) => callsOfModel(sampleModel(row, pipeline), counts, pipeline, outputPerEntry));
}

/** Both samples apply at once, so that they are rounded once. */
function sampleModel(row: ModelCounts, { sample_percent: sent, inference }: CompletePipeline): ModelCounts {
  const perTenThousand = BigInt(sent * inference.sample_percent);
  const sample = (total: bigint) => (perTenThousand === 10_000n ? total : ceilDiv(total * perTenThousand, 10_000n));
  return {
    model: row.model,
    entries: sample(row.entries),
    inputTokens: sample(row.inputTokens),
    outputTokens: sample(row.outputTokens),
    entriesWithoutOutput: sample(row.entriesWithoutOutput),
  };
}

function callsOfModel(
  row: ModelCounts,
  counts: EntryCounts,
  pipeline: CompletePipeline,
  outputPerEntry: number,
): ModelCalls {
  const { inference } = pipeline;
  // A job is not called from the function.
  const retryPercent = inference.tier === 'batch' ? 0n : BigInt(pipeline.retry_percent);
  const calls = countCalls(row.entries, counts, pipeline);
  const retries = percentOf(retryPercent, calls);
  const allCalls = calls + retries;
  const prompt = BigInt(inference.prompt_tokens);
  const cacheWrites = inference.cache_prompt ? min(allCalls, BigInt(counts.runs)) : 0n;
  const perCall = inference.output_tokens_per_call;
  const ofEntries = row.outputTokens + row.entriesWithoutOutput * BigInt(outputPerEntry);
  return {
    model: row.model,
    entries: row.entries,
    calls,
    retries,
    entryTokens: row.inputTokens,
    retriedTokens: percentOf(retryPercent, row.inputTokens),
    promptTokens: inference.cache_prompt ? 0n : allCalls * prompt,
    cacheWriteTokens: cacheWrites * prompt,
    cacheReadTokens: inference.cache_prompt ? (allCalls - cacheWrites) * prompt : 0n,
    outputTokens: perCall === undefined ? ofEntries : calls * BigInt(perCall),
    retriedOutputTokens: perCall === undefined ? percentOf(retryPercent, ofEntries) : retries * BigInt(perCall),
  };
}

/** No call spans two invocations; a batch job has all entries of the hour. */
function countCalls(entries: bigint, counts: EntryCounts, { function: fn, inference }: CompletePipeline): bigint {
  if (inference.tier === 'batch') return ceilDiv(entries, BigInt(inference.entries_per_call));
  const size = Math.min(inference.entries_per_call, fn.batch_size);
  return min(entries, counts.spread(windowWidth(fn.window_seconds))(entries, size));
}
