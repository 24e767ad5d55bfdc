import { extname } from 'node:path';
import type { Config } from '../../shared/config/config.ts';
import { canBeShort, openShortBatch } from '../../shared/ingest/batch-text.ts';
import { readTokenRanks, type TokenRanks } from '../../shared/metering/token-ranks.ts';
import { createThreadPool, type ThreadPool } from '../../shared/process/thread-pool.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { type CountingTerms, createBatchTools, type ProcessedBatch, processBatch } from './process-batch.ts';

/** A batch as it is stored: a thread opens it, so that the event loop handles few entries. */
export interface BatchTask extends CountingTerms {
  encrypted: Buffer;
  batchId: string;
}

interface BatchSettings {
  /** The keys that can have encrypted a batch. */
  entryKeys: readonly Buffer[];
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
  pii,
  tokenRanks,
}: BatchSettings): (task: BatchTask) => Promise<ProcessedBatch | null> {
  const tools = createBatchTools({ pii, tokenRanks });
  return async ({ encrypted, batchId, ...terms }) => {
    if (!canBeShort(encrypted)) return null;
    if (isSliceOver()) await nextSlice();
    const batch = openShortBatch(entryKeys, encrypted, batchId);
    return batch && processBatch(batch, terms, tools);
  };
}

export type ThreadTask = Omit<BatchTask, 'encrypted'> & { encrypted: Uint8Array };

export type BatchThreadData = Omit<BatchSettings, 'entryKeys'> & { entryKeys: readonly Uint8Array[] };

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
  const entryKeys = [keys.entries, ...(previousKeys ? [previousKeys.entries] : [])];
  const settings: BatchSettings = { entryKeys, pii, tokenRanks: readTokenRanks() };
  // Copies, because a view would be sent with all of its buffer.
  const data: BatchThreadData = { ...settings, entryKeys: entryKeys.map((key) => Uint8Array.from(key)) };
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
