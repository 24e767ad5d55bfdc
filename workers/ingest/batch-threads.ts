import { extname } from 'node:path';
import type { Config } from '../../shared/config/config.ts';
import { openShortBatch } from '../../shared/ingest/batch-text.ts';
import { readTokenRanks, type TokenRanks } from '../../shared/metering/token-ranks.ts';
import { createThreadPool, type ThreadPool } from '../../shared/process/thread-pool.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { type CountingTerms, createBatchTools, type ProcessedBatch, processBatch } from './process-batch.ts';

/** A batch as it is stored: a thread opens it, so that the event loop handles few entries. */
export interface BatchTask extends CountingTerms {
  encrypted: Uint8Array;
  batchId: string;
}

export interface BatchSettings {
  /** The keys that can have encrypted a batch. */
  entryKeys: readonly Uint8Array[];
  pii: Config['pii'];
  tokenRanks: TokenRanks;
}

/**
 * Creates a function that processes short batches on the event loop, in its slices: to hand one to
 * a thread and to take its result back costs a good part of the time that it takes to process it.
 * @returns a function that returns null for a batch that is not short.
 */
export function createShortBatchProcessor({
  entryKeys,
  ...options
}: BatchSettings): (task: BatchTask) => Promise<ProcessedBatch | null> {
  const tools = createBatchTools(options);
  return async ({ encrypted, batchId, ...terms }) => {
    if (isSliceOver()) await nextSlice();
    const batch = openShortBatch(entryKeys, encrypted, batchId);
    return batch && processBatch(batch, terms, tools);
  };
}

/** A request of 5 MiB needs less than 100 MiB. */
const maxHeapMb = 256;
/** With 4 MiB for new objects, a batch of many hours takes half as much time again. */
const youngHeapMb = 16;

/** Threads that process batches, except short ones. None is started before it is needed. */
export function createBatchThreads({
  keys,
  previousKeys,
  pii,
  ingestThreads,
}: Pick<Config, 'keys' | 'previousKeys' | 'pii' | 'ingestThreads'>): ThreadPool<BatchTask, ProcessedBatch> {
  // Copies, because a view would be sent with all of its buffer.
  const entryKeys = [keys.entries, ...(previousKeys ? [previousKeys.entries] : [])].map((key) => Uint8Array.from(key));
  const data: BatchSettings = { entryKeys, pii, tokenRanks: readTokenRanks() };
  // The compiled service has JavaScript files.
  const file = new URL(`./batch-thread${extname(import.meta.url)}`, import.meta.url);
  const threads = createThreadPool<BatchTask, ProcessedBatch>({
    file,
    data,
    size: ingestThreads,
    maxHeapMb,
    youngHeapMb,
  });
  const processShort = createShortBatchProcessor(data);
  return {
    // A copy, because a view would be sent with all of the buffer that the connection has read.
    run: async (task) =>
      (await processShort(task)) ?? threads.run({ ...task, encrypted: new Uint8Array(task.encrypted) }),
    close: () => threads.close(),
  };
}
