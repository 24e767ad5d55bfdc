// The thread that opens, scans, counts and meters batches.
import { workerData } from 'node:worker_threads';
import { openBatch } from '../../shared/ingest/batch-text.ts';
import { serveTasks } from '../../shared/process/thread-pool.ts';
import type { BatchThreadData, ThreadTask } from './batch-threads.ts';
import { createBatchTools, type ProcessedBatch, processBatch } from './process-batch.ts';

const { entryKeys, pii, tokenRanks } = workerData as BatchThreadData;
const keys = entryKeys.map((key) => Buffer.from(key));
const tools = createBatchTools({ pii, tokenRanks });

serveTasks(({ encrypted, batchId, ...terms }: ThreadTask): ProcessedBatch => {
  const batch = openBatch(keys, Buffer.from(encrypted), batchId);
  return processBatch(batch, terms, tools);
});
