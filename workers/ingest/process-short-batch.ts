import type { Config } from '../../shared/config/config.ts';
import { canBeShort, openShortBatch } from '../../shared/ingest/spooled-batch.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { BatchTask } from './batch-threads.ts';
import { createBatchTools, type ProcessedBatch, processBatch } from './process-batch.ts';
import type { TokenRanks } from './token-ranks.ts';

/**
 * Creates a function that processes short batches on the event loop, in its slices: to hand one to a thread and to take its
 * result back costs a good part of the time that it takes to process it.
 * @returns a function that returns null for a batch that is not short.
 */
export function createShortBatchProcessor({
  spoolKey,
  pii,
  tokenRanks,
}: Pick<Config, 'spoolKey' | 'pii'> & { tokenRanks: TokenRanks }): (task: BatchTask) => Promise<ProcessedBatch | null> {
  const tools = createBatchTools({ pii, tokenRanks });
  return async ({ sealed, batchId, assumptions }) => {
    if (!canBeShort(sealed)) return null;
    if (isSliceOver()) await nextSlice();
    const batch = openShortBatch(spoolKey, sealed, batchId);
    return batch && processBatch(batch, assumptions, tools);
  };
}
