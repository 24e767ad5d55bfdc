import { openQueues } from '../shared/all-queues.ts';
import { readConfig } from '../shared/config/config.ts';
import { closeOrDisconnect, closeRedis } from '../shared/connections/redis.ts';
import { createChartThreads } from '../shared/cost/charts/chart-threads.ts';
import { loadPriceBook } from '../shared/cost/price-book.ts';
import { createIngestSpool } from '../shared/ingest/ingest-spool.ts';
import { createModels } from '../shared/models.ts';
import { createCircuitBreaker } from '../shared/notebooks/circuit-breaker.ts';
import { createLog } from '../shared/process/log.ts';
import { createMetrics } from '../shared/process/metrics/metrics.ts';
import { createMetricsTotals } from '../shared/process/metrics/metrics-totals.ts';
import { startPublishing } from '../shared/process/metrics/publish-metrics.ts';
import { shutdownOnSignal } from '../shared/process/shutdown.ts';
import { createReportFiles } from '../shared/reports/report-files.ts';
import { connectMongo, connectRedis, prepareDatabase, runMain } from '../shared/start.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createApp } from './app.ts';
import { createLiveMetrics } from './cost/live-metrics.ts';
import { createHttpServer } from './http/http-server.ts';
import { listen, stopListening } from './http/listen.ts';
import { createWaitForJob } from './jobs/wait-for-job.ts';

/** Entry of `web`. */
await runMain(async () => {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, process: 'web' });
  await prepareDatabase(config);
  const mongo = await connectMongo(config, 'request');
  const redis = await connectRedis(config, 'request', log);
  const models = createModels(mongo);
  const { redisPrefix: prefix } = config;
  const queues = openQueues({ redis, prefix, log });
  const waitForJob = await createWaitForJob({ redis, queues, config });
  const metrics = createMetrics();
  const metricsTotals = createMetricsTotals({ registry: metrics.registry, redis, prefix, process: 'web' });
  const endMetrics = startPublishing({ metrics, totals: metricsTotals, process: 'web', log });
  const priceBook = loadPriceBook();
  const liveMetrics = createLiveMetrics({ config, log, models, redis, queues, priceBook });
  const chartThreads = createChartThreads();
  const app = createApp({
    config,
    log,
    mongo,
    models,
    redis,
    queues,
    waitForJob,
    spool: createIngestSpool({ redis, prefix, key: config.keys.spool }),
    liveMetrics,
    priceBook,
    reportFiles: createReportFiles(mongo),
    chartThreads,
    notebookBreaker: createCircuitBreaker({ redis, prefix }),
    metrics,
    metricsTotals,
    passwords: createPasswords(),
  });
  const server = createHttpServer(app, log);
  await listen(server, config);
  log.info('web is up', { port: config.port });
  shutdownOnSignal(
    [
      // Before the server, which waits for its connections.
      { name: 'streams', run: async () => liveMetrics.close() },
      { name: 'server', run: () => stopListening(server, config.shutdownGraceMs) },
      { name: 'threads', run: () => chartThreads.close() },
      { name: 'job results', run: async () => waitForJob.close() },
      { name: 'metrics', run: () => closeOrDisconnect(redis, endMetrics()) },
      { name: 'queues', run: () => queues.close() },
      { name: 'Redis', run: () => closeRedis(redis) },
      { name: 'MongoDB', run: () => mongo.close() },
    ],
    { graceMs: config.shutdownGraceMs, log },
  );
});
