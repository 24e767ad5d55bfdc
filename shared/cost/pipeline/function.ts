// The invocations of the function in one hour, and their billed time.
import type { Architecture, CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { type Exact, max, min, percentOf, plus, times } from './exact.ts';
import type { SentEntries } from './sent-entries.ts';

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

export interface EntryMbMs {
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

export function functionRuns(
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
