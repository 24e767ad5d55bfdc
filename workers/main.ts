import { randomUUID } from 'node:crypto';
import { createChartThreads } from '../shared/charts/chart-threads.ts';
import { readConfig } from '../shared/config/config.ts';
import { closeOrDisconnect, closeRedis } from '../shared/connections/redis.ts';
import { createMetrics } from '../shared/metrics/metrics.ts';
import { createMetricsTotals } from '../shared/metrics/metrics-totals.ts';
import { startPublishing } from '../shared/metrics/publish-metrics.ts';
import { createModels } from '../shared/models/index.ts';
import { loadPriceBook } from '../shared/pricing/price-book.ts';
import { openQueues } from '../shared/queues/index.ts';
import { startHeartbeat } from '../shared/runtime/heartbeat.ts';
import { createLog } from '../shared/runtime/log.ts';
import { shutdownOnSignal } from '../shared/runtime/shutdown.ts';
import { connectMongo, connectRedis, prepareDatabase, runMain } from '../shared/runtime/start.ts';
import { createCircuitBreaker } from '../shared/services/circuit-breaker.ts';
import { createIngestSpool } from '../shared/services/ingest-spool.ts';
import { createReportFiles } from '../shared/services/report-files.ts';
import { openPdfPrinter } from './browser/open-pdf-printer.ts';
import { createBatchThreads } from './ingest/batch-threads.ts';
import { createNewUsage } from './ingest/new-usage.ts';
import { createScenarioAssumptions } from './ingest/scenario-assumptions.ts';
import { chooseBackend } from './notebook-backends/choose-backend.ts';
import { backendLock } from './notebooks/notebook-lock.ts';
import { startWorkers } from './start-workers.ts';
import { startSweep } from './sweep.ts';

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
    spool: createIngestSpool({ redis, prefix: config.redisPrefix, key: config.spoolKey }),
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
  // The heartbeat starts after the signal handlers are set: from the first heartbeat on, SIGTERM must stop the worker
  // gracefully.
  const id = randomUUID();
  const { reportQueues } = workers;
  endHeartbeat = await startHeartbeat({ id, redis, prefix: config.redisPrefix, mongo, reportQueues, log });
  log.info('worker is up', { worker_id: id, queues: config.workerQueues });
});
