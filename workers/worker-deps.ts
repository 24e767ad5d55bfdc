import type { Redis } from 'ioredis';
import type { Config } from '../shared/config/config.ts';
import type { Metrics } from '../shared/metrics/metrics.ts';
import type { Models } from '../shared/models/index.ts';
import type { Queues } from '../shared/queues/index.ts';
import type { Log } from '../shared/runtime/log.ts';
import type { CircuitBreaker } from '../shared/services/circuit-breaker.ts';
import type { IngestSpool } from '../shared/services/ingest-spool.ts';
import type { BatchTask } from './ingest/batch-threads.ts';
import type { ProcessedBatch } from './ingest/process-batch.ts';
import type { NotebookBackend } from './notebook-backends/notebook-backend.ts';
import type { ThreadPool } from './threads/thread-pool.ts';

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
  notebookBackend: NotebookBackend;
  notebookBreaker: CircuitBreaker;
}
