// Meters a log entry: counts its usage, without prices.

import { asLong } from '../cost/called-model.ts';
import type { CallLimits, TokenMultipliers } from '../cost/price-book.ts';
import { second } from '../durations.ts';
import type { AcceptedEntry } from '../ingest/batch-text.ts';
import type { CompleteAssumptions } from '../scenarios/assumptions.ts';
import { levelClassOf } from '../scenarios/pipeline.ts';
import { startOfHour } from '../usage/periods.ts';
import { chunksOf, queueRequests } from '../usage/queue-requests.ts';
import type { EntryUsage } from '../usage/usage-tally.ts';
import { scaleTokens, type TokenCounter } from './count-tokens.ts';

/** An entry; its usage counts in the hour of its `timestamp`. */
export type MeterableEntry = Pick<
  AcceptedEntry,
  'message' | 'timestamp' | 'timed' | 'level' | 'attributeBytes' | 'usage' | 'usageUnread'
>;

export interface MeterTools {
  tokenMultipliers: TokenMultipliers;
  callLimits: CallLimits;
  countTokens: TokenCounter;
}

/** Meters an entry. The assumptions provide what it does not report. */
export function meterEntry(entry: MeterableEntry, assumptions: CompleteAssumptions, tools: MeterTools): EntryUsage {
  const { usage } = entry;
  const sizeBytes = Buffer.byteLength(entry.message) + (entry.attributeBytes ?? 0);
  const memoryMb = usage?.function_memory_mb ?? assumptions.function.memory_mb;
  const billed = billedMs(usage?.function_duration_ms ?? assumptions.function.duration_ms);
  const model = usage?.unknown_model ?? usage?.model ?? assumptions.inference.model;
  const call = usage?.profile === undefined ? model : `${model} ${usage.profile}`;
  const inputTokens = usage?.input_tokens ?? estimateTokens(entry.message, model, tools);
  const cacheReadTokens = usage?.cache_read_tokens ?? 0;
  const cacheWriteTokens = usage?.cache_write_tokens ?? 0;
  const cacheWrite1hTokens = usage?.cache_write_1h_tokens ?? 0;
  // Cached ones are part of the input, whose length decides on the price.
  const callTokens = inputTokens + cacheReadTokens + cacheWriteTokens + cacheWrite1hTokens;
  const { tokens: limit = Infinity, isWindow = false } = tools.callLimits.get(model) ?? {};
  const isLarge = isWindow
    ? usage?.input_tokens !== undefined && callTokens + (usage.output_tokens ?? 0) > limit
    : callTokens > limit;
  const hour = startOfHour(entry.timestamp);
  return {
    hour,
    second: Math.floor((entry.timestamp - hour) / second),
    timed: entry.timed,
    level: levelClassOf(entry.level),
    sizeBytes,
    chunks: chunksOf(sizeBytes),
    queueType: assumptions.queue.type,
    queueRequests: queueRequests(sizeBytes, assumptions.queue.requests_per_message),
    architecture: assumptions.function.architecture,
    memoryMb,
    billedMs: billed,
    mbMs: memoryMb * billed,
    ownMemory: memoryMb === assumptions.function.memory_mb,
    model: isLarge ? asLong(call) : call,
    unpriced: usage?.unknown_model !== undefined,
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens,
    inputEstimated: usage?.input_tokens === undefined,
    outputTokens: usage?.output_tokens ?? null,
    usageUnread: entry.usageUnread === true,
  };
}

/** Billed milliseconds of one invocation: the duration rounded up to a whole number, at least 1. */
export const billedMs = (durationMs: number): number => Math.max(1, Math.ceil(durationMs));

/** By the multiplier of the model's tokenizer, or 1 if the price book lacks the model. */
function estimateTokens(message: string, model: string, { tokenMultipliers, countTokens }: MeterTools): number {
  return scaleTokens(countTokens(message), tokenMultipliers.get(model) ?? 100);
}
