// The invocations of the function in one hour, and their billed time.
import type { Architecture, CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { CompletePipeline } from '../../scenarios/pipeline.ts';
import { max, min, percentOf } from './exact.ts';
import type { SentEntries } from './sent-entries.ts';

export interface FunctionRuns {
  /** Without those of retries. */
  invocations: bigint;
  retries: bigint;
  /** Invocations, also retries, that pay the initialisation. */
  coldStarts: bigint;
  /** Why there are so many invocations. */
  limit: InvocationLimit;
  /** Billed time of the entries, by the architecture that they were counted for. */
  entryMbMs: { architecture: Architecture; mbMs: bigint }[];
  /** Billed time of the entries of retries. */
  retriedMbMs: { architecture: Architecture; mbMs: bigint }[];
  overheadMbMs: bigint;
  initMbMs: bigint;
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
const recordBytes = 1_024n;
const maxDurationMs = 900_000;

export function functionRuns(
  sent: SentEntries,
  pipeline: CompletePipeline,
  memoryMb: CompleteAssumptions['function']['memory_mb'],
): FunctionRuns {
  const { invocations, limit } = countInvocations(sent, pipeline.function.batch_size, memoryMb);
  const retryPercent = BigInt(pipeline.retry_percent);
  const retries = percentOf(retryPercent, invocations);
  const coldStarts = percentOf(BigInt(pipeline.function.cold_start_percent), invocations + retries);
  const perMs = BigInt(memoryMb);
  return {
    invocations,
    retries,
    coldStarts,
    limit,
    entryMbMs: [...sent.mbMs],
    retriedMbMs: sent.mbMs.map((row) => ({ ...row, mbMs: percentOf(retryPercent, row.mbMs) })),
    overheadMbMs: perMs * (invocations + retries) * BigInt(pipeline.function.overhead_ms),
    initMbMs: perMs * coldStarts * BigInt(pipeline.function.init_ms),
  };
}

function countInvocations(
  { entries, sizeBytes, totalMbMs, windows, spread }: SentEntries,
  batchSize: number,
  memoryMb: number,
): Pick<FunctionRuns, 'invocations' | 'limit'> {
  if (entries === 0n) return { invocations: 0n, limit: 'none' };
  const byBatch = spread(entries, batchSize);
  const byPayload = spread(sizeBytes + recordBytes * entries, payloadBytes);
  const byDuration = spread(totalMbMs, memoryMb * maxDurationMs);
  const most = max(byBatch, max(byPayload, byDuration));
  const invocations = min(entries, most);
  if (most > entries || batchSize === 1) return { invocations, limit: 'entries' };
  if (most > byBatch) return { invocations, limit: most === byPayload ? 'payload' : 'duration' };
  return { invocations, limit: byBatch > BigInt(windows) ? 'batch_size' : 'window' };
}
