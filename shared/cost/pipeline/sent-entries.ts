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

/** Samples the entries. The sample has the active seconds of all entries. */
export function sendEntries(counts: EntryCounts, samplePercent: bigint, windowSeconds: number): SentEntries {
  const width = windowWidth(windowSeconds);
  const entries = percentOf(samplePercent, counts.entries);
  const mbMs = counts.mbMs.map((row) => ({ ...row, mbMs: percentOf(samplePercent, row.mbMs) }));
  return {
    entries,
    sizeBytes: percentOf(samplePercent, counts.sizeBytes),
    chunks: max(entries, percentOf(samplePercent, counts.chunks)),
    mbMs,
    totalMbMs: sumOf(mbMs, (row) => row.mbMs),
    activeSeconds: counts.activeSeconds,
    windows: counts.windows(width),
    spread: counts.spread(width),
  };
}
