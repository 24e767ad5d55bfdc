// What one log entry uses: counts only, no money.
import type { CompleteAssumptions } from '../../shared/pricing/assumptions.ts';
import { billedMs } from '../../shared/pricing/function-cost.ts';
import type { PriceBook } from '../../shared/pricing/price-book.ts';
import { queueRequests } from '../../shared/pricing/queue-cost.ts';
import { type EntryUsage, startOfHour } from '../../shared/pricing/usage.ts';
import { countTokens, scaleTokens } from './count-tokens.ts';

export type AttributeValue = string | number | boolean;

/** What an entry says about its own usage; the rest comes from the scenario's assumptions. */
export interface UsageOverrides {
  /** 0 to 900,000, fractions allowed. */
  function_duration_ms?: number | undefined;
  /** An integer from 128 to 10,240. */
  function_memory_mb?: number | undefined;
  input_tokens?: number | undefined;
  output_tokens?: number | undefined;
  model?: string | undefined;
}

export interface MeterableEntry {
  message: string;
  /** Decides the hour; the entry's own time or when it was received, in epoch milliseconds. */
  timestamp: number;
  attributes?: Readonly<Record<string, AttributeValue>> | undefined;
  usage?: UsageOverrides | undefined;
}

/** Bytes that the type of an attribute counts for, beside its name and value. */
const attributeTypeBytes = 6;

/** Meters an entry whose values are within their limits (the API checked them). */
export function meterEntry(entry: MeterableEntry, assumptions: CompleteAssumptions, book: PriceBook): EntryUsage {
  const { usage } = entry;
  const sizeBytes = entrySize(entry);
  const memoryMb = usage?.function_memory_mb ?? assumptions.function.memory_mb;
  const billed = billedMs(usage?.function_duration_ms ?? assumptions.function.duration_ms);
  const model = usage?.model ?? assumptions.inference.model;
  return {
    hour: startOfHour(entry.timestamp),
    sizeBytes,
    queueType: assumptions.queue.type,
    queueRequests: queueRequests(sizeBytes, assumptions.queue.requests_per_message),
    architecture: assumptions.function.architecture,
    memoryMb,
    billedMs: billed,
    mbMs: memoryMb * billed,
    ownMemory: memoryMb === assumptions.function.memory_mb,
    model,
    inputTokens: usage?.input_tokens ?? estimateTokens(entry.message, model, book),
    inputEstimated: usage?.input_tokens === undefined,
    outputTokens: usage?.output_tokens ?? assumptions.inference.output_tokens_per_entry,
  };
}

/** UTF-8 bytes of the message, and of every attribute its name, its type and its value in text form. */
export function entrySize({ message, attributes }: Pick<MeterableEntry, 'message' | 'attributes'>): number {
  let bytes = Buffer.byteLength(message);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    bytes += Buffer.byteLength(name) + attributeTypeBytes + Buffer.byteLength(shown);
  }
  return bytes;
}

/** Tokens of a message for a model, by the multiplier of its tokenizer; 1 for a model that the book no longer has. */
function estimateTokens(message: string, model: string, book: PriceBook): number {
  return scaleTokens(countTokens(message), book.model(model)?.tokenizer.multiplierHundredths ?? 100);
}
