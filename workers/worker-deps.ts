import type { Resources } from '../shared/open-resources.ts';
import type { Metrics } from '../shared/process/metrics.ts';
import type { ThreadPool } from '../shared/process/thread-pool.ts';
import type { BatchTask } from './ingest/batch-threads.ts';
import type { FindAssumptions } from './ingest/find-assumptions.ts';
import type { ProcessedBatch } from './ingest/process-batch.ts';
import type { NotebookBackend } from './notebooks/backends/notebook-backend.ts';
import type { PdfPrinter } from './reports/pdf/pdf-printer.ts';
import type { RollUpRequests } from './usage/roll-up-requests.ts';

/** The dependencies that a worker process provides. Each processor picks what it needs. */
export interface WorkerDeps extends Resources {
  metrics: Metrics;
  /** Process the entries of batches. */
  batchThreads: ThreadPool<BatchTask, ProcessedBatch>;
  findAssumptions: FindAssumptions;
  rollUpRequests: RollUpRequests;
  pdfPrinter: PdfPrinter;
  notebookBackend: NotebookBackend;
}
