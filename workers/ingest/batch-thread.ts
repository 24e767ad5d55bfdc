// The thread that opens, scans, counts and meters batches.
import { workerData } from 'node:worker_threads';
import { loadPriceBook } from '../../shared/pricing/price-book.ts';
import { openSpooledBatch } from '../../shared/services/ingest-spool.ts';
import { serveTasks } from '../../shared/threads/serve-tasks.ts';
import { createScanner } from '../pii/scan-personal-data.ts';
import type { BatchThreadData, ThreadTask } from './batch-threads.ts';
import { type ProcessedBatch, processBatch } from './process-batch.ts';

const { spoolKey, pii } = workerData as BatchThreadData;
const tools = { scan: createScanner(pii), priceBook: loadPriceBook() };

serveTasks(({ sealed, batchId, assumptions }: ThreadTask): ProcessedBatch => {
  const batch = openSpooledBatch(Buffer.from(spoolKey), Buffer.from(sealed), batchId);
  return processBatch(batch, assumptions, tools);
});
