import type { Redis } from 'ioredis';
import type { ChartThreads } from '../shared/charts/chart-threads.ts';
import type { Config } from '../shared/config/config.ts';
import type { Metrics } from '../shared/metrics/metrics.ts';
import type { Models } from '../shared/models/index.ts';
import type { PriceBook } from '../shared/pricing/price-book.ts';
import type { Queues } from '../shared/queues/index.ts';
import type { Log } from '../shared/runtime/log.ts';
import type { CircuitBreaker } from '../shared/services/circuit-breaker.ts';
import type { IngestSpool } from '../shared/services/ingest-spool.ts';
import type { ReportFiles } from '../shared/services/report-files.ts';
import type { ThreadPool } from '../shared/threads/thread-pool.ts';
import type { PdfPrinter } from './browser/pdf-printer.ts';
import type { BatchTask } from './ingest/batch-threads.ts';
import type { NewUsage } from './ingest/new-usage.ts';
import type { ProcessedBatch } from './ingest/process-batch.ts';
import type { ScenarioAssumptions } from './ingest/scenario-assumptions.ts';
import type { NotebookBackend } from './notebook-backends/notebook-backend.ts';

/** What a worker process provides to its processors. Each processor picks what it needs. */
export interface WorkerDeps {
  config: Config;
  log: Log;
  metrics: Metrics;
  models: Models;
  redis: Redis;
  queues: Queues;
  spool: IngestSpool;
  /** Process the spooled batches. */
  batchThreads: ThreadPool<BatchTask, ProcessedBatch>;
  scenarioAssumptions: ScenarioAssumptions;
  newUsage: NewUsage;
  priceBook: PriceBook;
  reportFiles: ReportFiles;
  chartThreads: ChartThreads;
  pdfPrinter: PdfPrinter;
  notebookBackend: NotebookBackend;
  notebookBreaker: CircuitBreaker;
}
