import { canBeShort, openShortBatch } from '../../shared/ingest/spooled-batch.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { BatchSettings, BatchTask } from './batch-threads.ts';
import { createBatchTools, type ProcessedBatch, processBatch } from './process-batch.ts';

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
  return async ({ sealed, batchId, assumptions }) => {
    if (!canBeShort(sealed)) return null;
    if (isSliceOver()) await nextSlice();
    const batch = openShortBatch(spoolKeys, sealed, batchId);
    return batch && processBatch(batch, assumptions, tools);
  };
}
