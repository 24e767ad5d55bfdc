import type { Config } from '../../shared/config/config.ts';
import { canBeShort, openShortBatch } from '../../shared/ingest/spooled-batch.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { type CountingTerms, createBatchTools, type ProcessedBatch, processBatch } from './process-batch.ts';
import type { TokenRanks } from './token-ranks.ts';

/** A batch as it is spooled: a thread opens it, so that the event loop handles few entries. */
export interface BatchTask extends CountingTerms {
  encrypted: Buffer;
  batchId: string;
}

export interface BatchSettings {
  /** The keys that can have encrypted a batch. */
  spoolKeys: readonly Buffer[];
  pii: Config['pii'];
  tokenRanks: TokenRanks;
}

/**
 * Creates a function that processes short batches on the event loop, in its slices: to hand one to
 * a thread and to take its result back costs a good part of the time that it takes to process it.
 * @returns a function that returns null for a batch that is not short.
 */
export function createShortBatchProcessor({
  spoolKeys,
  pii,
  tokenRanks,
}: BatchSettings): (task: BatchTask) => Promise<ProcessedBatch | null> {
  const tools = createBatchTools({ pii, tokenRanks });
  return async ({ encrypted, batchId, ...terms }) => {
    if (!canBeShort(encrypted)) return null;
    if (isSliceOver()) await nextSlice();
    const batch = openShortBatch(spoolKeys, encrypted, batchId);
    return batch && processBatch(batch, terms, tools);
  };
}
