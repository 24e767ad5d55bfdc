import type { BatchResults, LogEntry } from '../ingest/log-batch.model.ts';
import type { PricedUsage } from './entry-cost.ts';

/**
 * The usage of a stored entry: that of its batch, with its own values where they differ.
 * @param assumedOutput the output tokens of an entry that reports none.
 */
export function resolvePricedUsage(
  { queueType, architecture, commonUsage }: BatchResults,
  entry: Pick<LogEntry, 'inputTokens' | 'usage'>,
  assumedOutput: number,
): PricedUsage {
  const { queueRequests, memoryMb, billedMs, outputTokens, ...ofModel } = entry.usage
    ? { ...commonUsage, ...entry.usage }
    : commonUsage;
  return {
    queueType,
    architecture,
    queueRequests,
    mbMs: memoryMb * billedMs,
    ...ofModel,
    inputTokens: entry.inputTokens,
    outputTokens: outputTokens ?? assumedOutput,
  };
}
