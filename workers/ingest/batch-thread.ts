// The thread that opens, scans, counts and meters batches.
import { workerData } from 'node:worker_threads';
import { openBatch } from '../../shared/ingest/batch-text.ts';
import { serveTasks } from '../../shared/process/thread-pool.ts';
import type { BatchSettings, BatchTask } from './batch-threads.ts';
import { createBatchTools, type ProcessedBatch, processBatch } from './process-batch.ts';

const { entryKeys, ...options } = workerData as BatchSettings;
const tools = createBatchTools(options);

serveTasks(
  ({ encrypted, batchId, ...terms }: BatchTask): ProcessedBatch =>
    processBatch(openBatch(entryKeys, encrypted, batchId), terms, tools),
);
