import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { type Exact, max, shareOf, sumOf } from './exact.ts';
import type { EntryCounts, MbMs } from './hour-counts.ts';
import type { Windows } from './windows.ts';

/** The entries of an hour that are sent to the queue. */
export interface SentEntries {
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
export const windowWidth = (windowSeconds: number) => Math.max(1, windowSeconds);

/**
 * Samples the entries. The sample has the active seconds of all entries.
 * @param entryMbMs the billed time of all entries.
 */
export function sendEntries(
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
