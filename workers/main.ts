import { randomUUID } from 'node:crypto';
import { readConfig } from '../shared/config/config.ts';
import { closeOrDisconnect } from '../shared/connections/redis.ts';
import { openResources } from '../shared/open-resources.ts';
import { startHeartbeat } from '../shared/process/heartbeat.ts';
import { createLog } from '../shared/process/log.ts';
import { createMetrics, createMetricsTotals } from '../shared/process/metrics.ts';
import { shutdownOnSignal } from '../shared/process/shutdown.ts';
import { prepareDatabase, runMain } from '../shared/start.ts';
import { createBatchThreads } from './ingest/batch-threads.ts';
import { createFindAssumptions } from './ingest/find-assumptions.ts';
import { startWorkers } from './jobs/start-workers.ts';
import { startSweep } from './jobs/sweep.ts';
import { chooseBackend } from './notebooks/backends/choose-backend.ts';
import { notebookLock } from './notebooks/notebook-lock.ts';
import { launchBrowser } from './reports/pdf/chromium.ts';
import { createPdfPrinter } from './reports/pdf/pdf-printer.ts';
import { createRollUpRequests } from './usage/roll-up-requests.ts';

/** Entry point of the `worker` process. */
await runMain(async () => {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, process: 'worker' });
  await prepareDatabase(config, log, 'worker');
  const { resources, closing } = await openResources(config, log, { mongo: 'worker', redis: 'worker' });
  const { mongo, redis, models, queues } = resources;
  const { redisPrefix: prefix } = config;
  const metrics = createMetrics();
  const endMetrics = createMetricsTotals(metrics, { redis, prefix, process: 'worker' }).start(log);
  const batchThreads = createBatchThreads(config);
  const rollUpRequests = createRollUpRequests({ queues, log });
  const { chromiumPath } = config;
  const pdfPrinter = createPdfPrinter({ launch: (timeoutMs) => launchBrowser({ chromiumPath }, timeoutMs) });
  const workers = startWorkers(config.workerQueues, redis, {
    ...resources,
    metrics,
    batchThreads,
    findAssumptions: createFindAssumptions(models),
    rollUpRequests,
    pdfPrinter,
    notebookBackend: chooseBackend(config.notebooks, notebookLock({ redis, config })),
  });
  const endSweep = startSweep({ models, queues, log });
  let endHeartbeat = async () => {};
  shutdownOnSignal(
    [
      { name: 'sweep', run: async () => endSweep() },
      { name: 'workers', run: () => workers.close(config.shutdownGraceMs) },
      { name: 'new usage', run: () => closeOrDisconnect(redis, rollUpRequests.close()) },
      { name: 'browser', run: () => pdfPrinter.close() },
      { name: 'threads', run: () => batchThreads.close() },
      { name: 'heartbeat', run: () => closeOrDisconnect(redis, endHeartbeat()) },
      { name: 'metrics', run: () => closeOrDisconnect(redis, endMetrics()) },
      ...closing,
    ],
    { graceMs: config.shutdownGraceMs, log },
  );
  // The heartbeat starts after the signal handlers are set: from the first heartbeat on, SIGTERM
  // must stop the worker gracefully.
  const id = randomUUID();
  const { reportQueues } = workers;
  endHeartbeat = await startHeartbeat({ id, redis, prefix, mongo, reportQueues, log });
  log.info('worker is up', { worker_id: id, queues: config.workerQueues });
});
