import { extname } from 'node:path';
import type { Config } from '../../shared/config/config.ts';
import { createThreadPool, type ThreadPool } from '../../shared/process/thread-pool.ts';
import type { ProcessedBatch } from './process-batch.ts';
import { type BatchSettings, type BatchTask, createShortBatchProcessor } from './process-short-batch.ts';
import { readTokenRanks } from './token-ranks.ts';

export type ThreadTask = Omit<BatchTask, 'encrypted'> & { encrypted: Uint8Array };

export type BatchThreadData = Omit<BatchSettings, 'spoolKeys'> & { spoolKeys: readonly Uint8Array[] };

/** A request of 5 MiB needs less than 100 MiB. */
const maxHeapMb = 256;
/**
 * A batch can have an hour for each entry. With 4 MiB for new objects, it takes half as much
 * processor time again, because they are copied more often.
 */
const youngHeapMb = 16;

/**
 * Threads that process batches, except short ones. None is started before the first batch that is
 * not short.
 */
export function createBatchThreads({
  keys,
  previousKeys,
  pii,
  ingestThreads,
}: Pick<Config, 'keys' | 'previousKeys' | 'pii' | 'ingestThreads'>): ThreadPool<BatchTask, ProcessedBatch> {
  const spoolKeys = [keys.spool, ...(previousKeys ? [previousKeys.spool] : [])];
  const settings: BatchSettings = { spoolKeys, pii, tokenRanks: readTokenRanks() };
  // Copies, because a view would be sent with all of its buffer.
  const data: BatchThreadData = { ...settings, spoolKeys: spoolKeys.map((key) => Uint8Array.from(key)) };
  // The compiled service has JavaScript files.
  const file = new URL(`./batch-thread${extname(import.meta.url)}`, import.meta.url);
  const threads = createThreadPool<ThreadTask, ProcessedBatch>({
    file,
    data,
    size: ingestThreads,
    maxHeapMb,
    youngHeapMb,
  });
  const processShort = createShortBatchProcessor(settings);
  return {
    // A copy, because a view would be sent with all of the buffer that the connection has read.
    run: async (task) =>
      (await processShort(task)) ?? threads.run({ ...task, encrypted: new Uint8Array(task.encrypted) }),
    close: () => threads.close(),
  };
}
