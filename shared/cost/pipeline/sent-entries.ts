import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { max, percentOf } from './exact.ts';
import { type EntryCounts, sumOf } from './hour-counts.ts';
import type { Spread } from './windows.ts';

/** The entries of an hour that are sent to the queue. */
export interface SentEntries {
  entries: bigint;
  sizeBytes: bigint;
  chunks: bigint;
  mbMs: EntryCounts['mbMs'];
  /** The sum of `mbMs`. */
  totalMbMs: bigint;
  activeSeconds: number;
  /** The number of windows of the function. */
  windows: number;
  /** Spreads over these windows. */
  spread: Spread;
}

/** An invocation gathers the messages of one second at least. */
export const windowWidth = (windowSeconds: number) => Math.max(1, windowSeconds);

/**
 * Samples the entries. The sample has the active seconds of all entries.
 * @param entryMbMs the billed time of all entries.
 */
export function sendEntries(
  counts: EntryCounts,
  entryMbMs: EntryCounts['mbMs'],
  { sample_percent: percent, function: fn }: CompletePipeline,
): SentEntries {
  const sample = (total: bigint) => percentOf(BigInt(percent), total);
  const width = windowWidth(fn.window_seconds);
  const entries = sample(counts.entries);
  const mbMs = entryMbMs.map((row) => ({ ...row, mbMs: sample(row.mbMs) }));
  return {
    entries,
    sizeBytes: sample(counts.sizeBytes),
    chunks: max(entries, sample(counts.chunks)),
    mbMs,
    totalMbMs: sumOf(mbMs, (row) => row.mbMs),
    activeSeconds: counts.activeSeconds,
    windows: counts.windows(width),
    spread: counts.spread(width),
  };
}
