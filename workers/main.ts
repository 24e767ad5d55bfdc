import { randomUUID } from 'node:crypto';
import { openQueues } from '../shared/all-queues.ts';
import { readConfig } from '../shared/config/config.ts';
import { closeOrDisconnect, closeRedis } from '../shared/connections/redis.ts';
import { createChartThreads } from '../shared/cost/charts/chart-threads.ts';
import { loadPriceBook } from '../shared/cost/price-book.ts';
import { createIngestSpool } from '../shared/ingest/ingest-spool.ts';
import { createModels } from '../shared/models.ts';
import { createCircuitBreaker } from '../shared/notebooks/circuit-breaker.ts';
import { startHeartbeat } from '../shared/process/heartbeat.ts';
import { createLog } from '../shared/process/log.ts';
import { createMetrics } from '../shared/process/metrics/metrics.ts';
import { createMetricsTotals } from '../shared/process/metrics/metrics-totals.ts';
import { startPublishing } from '../shared/process/metrics/publish-metrics.ts';
import { shutdownOnSignal } from '../shared/process/shutdown.ts';
import { createReportFiles } from '../shared/reports/report-files.ts';
import { connectMongo, connectRedis, prepareDatabase, runMain } from '../shared/start.ts';
import { createBatchThreads } from './ingest/batch-threads.ts';
import { createScenarioAssumptions } from './ingest/scenario-assumptions.ts';
import { startWorkers } from './jobs/start-workers.ts';
import { startSweep } from './jobs/sweep.ts';
import { chooseBackend } from './notebooks/backends/choose-backend.ts';
import { backendLock } from './notebooks/notebook-lock.ts';
import { openPdfPrinter } from './reports/pdf/open-pdf-printer.ts';
import { createNewUsage } from './usage/new-usage.ts';

/** Entry point of the `worker` process. */
await runMain(async () => {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, process: 'worker' });
  await prepareDatabase(config);
  const mongo = await connectMongo(config, 'worker');
  const redis = await connectRedis(config, 'worker', log);
  const models = createModels(mongo);
  const queues = openQueues({ redis, prefix: config.redisPrefix, log });
  const metrics = createMetrics();
  const totals = createMetricsTotals({
    registry: metrics.registry,
    redis,
    prefix: config.redisPrefix,
    process: 'worker',
  });
  const endMetrics = startPublishing({ metrics, totals, process: 'worker', log });
  const batchThreads = createBatchThreads(config);
  const newUsage = createNewUsage({ queues, redis, config, log });
  const chartThreads = createChartThreads();
  const pdfPrinter = openPdfPrinter(config.browser);
  const workers = startWorkers(config.workerQueues, redis, {
    config,
    log,
    metrics,
    models,
    redis,
    queues,
    spool: createIngestSpool({ redis, prefix: config.redisPrefix, key: config.keys.spool }),
    batchThreads,
    scenarioAssumptions: createScenarioAssumptions(models),
    newUsage,
    priceBook: loadPriceBook(),
    reportFiles: createReportFiles(mongo),
    chartThreads,
    pdfPrinter,
    notebookBackend: chooseBackend(config.notebooks, backendLock({ redis, config })),
    notebookBreaker: createCircuitBreaker({ redis, prefix: config.redisPrefix }),
  });
  const endSweep = startSweep({ models, queues, log });
  let endHeartbeat = async () => {};
  shutdownOnSignal(
    [
      { name: 'sweep', run: async () => endSweep() },
      { name: 'workers', run: () => workers.close(config.shutdownGraceMs) },
      { name: 'new usage', run: () => closeOrDisconnect(redis, newUsage.close()) },
      { name: 'browser', run: () => pdfPrinter.close() },
      { name: 'threads', run: () => Promise.all([batchThreads.close(), chartThreads.close()]) },
      { name: 'heartbeat', run: () => closeOrDisconnect(redis, endHeartbeat()) },
      { name: 'metrics', run: () => closeOrDisconnect(redis, endMetrics()) },
      { name: 'queues', run: () => queues.close() },
      { name: 'Redis', run: () => closeRedis(redis) },
      { name: 'MongoDB', run: () => mongo.close() },
    ],
    { graceMs: config.shutdownGraceMs, log },
  );
  // The heartbeat starts after the signal handlers are set: from the first heartbeat on, SIGTERM
  // must stop the worker gracefully.
  const id = randomUUID();
  const { reportQueues } = workers;
  endHeartbeat = await startHeartbeat({ id, redis, prefix: config.redisPrefix, mongo, reportQueues, log });
  log.info('worker is up', { worker_id: id, queues: config.workerQueues });
});
