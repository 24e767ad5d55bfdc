import type { Redis } from 'ioredis';
import type { Queues } from '../shared/all-queues.ts';
import type { Config } from '../shared/config/config.ts';
import type { ChartThreads } from '../shared/cost/charts/chart-threads.ts';
import type { PriceBook } from '../shared/cost/price-book.ts';
import type { IngestSpool } from '../shared/ingest/ingest-spool.ts';
import type { Models } from '../shared/models.ts';
import type { CircuitBreaker } from '../shared/notebooks/circuit-breaker.ts';
import type { Log } from '../shared/process/log.ts';
import type { Metrics } from '../shared/process/metrics/metrics.ts';
import type { ThreadPool } from '../shared/process/thread-pool.ts';
import type { ReportFiles } from '../shared/reports/report-files.ts';
import type { BatchTask } from './ingest/batch-threads.ts';
import type { ProcessedBatch } from './ingest/process-batch.ts';
import type { ScenarioAssumptions } from './ingest/scenario-assumptions.ts';
import type { NotebookBackend } from './notebooks/backends/notebook-backend.ts';
import type { PdfPrinter } from './reports/pdf/pdf-printer.ts';
import type { NewUsage } from './usage/new-usage.ts';

/** The dependencies that a worker process provides. Each processor picks what it needs. */
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
