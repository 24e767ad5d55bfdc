import type { Config } from '../../shared/config/config.ts';
import { openShortBatch } from '../../shared/services/spooled-batch.ts';
import type { BatchTask } from './batch-threads.ts';
import { createBatchTools, type ProcessedBatch, processBatch } from './process-batch.ts';
import type { TokenRanks } from './token-ranks.ts';

/**
 * Creates a function that processes short batches at once, on the event loop: a thread takes longer to take one over than to
 * process it. The most expensive text of that length takes about a millisecond.
 * @returns a function that returns null for a batch that is not short.
 */
export function createShortBatchProcessor({
  spoolKey,
  pii,
  tokenRanks,
}: Pick<Config, 'spoolKey' | 'pii'> & { tokenRanks: TokenRanks }): (task: BatchTask) => ProcessedBatch | null {
  const tools = createBatchTools({ pii, tokenRanks });
  return ({ sealed, batchId, assumptions }) => {
    const batch = openShortBatch(spoolKey, sealed, batchId);
    return batch && processBatch(batch, assumptions, tools);
  };
}
