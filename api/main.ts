import { readConfig } from '../shared/config/config.ts';
import { closeOrDisconnect } from '../shared/connections/redis.ts';
import { openResources } from '../shared/open-resources.ts';
import { createLog } from '../shared/process/log.ts';
import { createMetrics, createMetricsTotals } from '../shared/process/metrics.ts';
import { shutdownOnSignal } from '../shared/process/shutdown.ts';
import { prepareDatabase, runMain } from '../shared/start.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createApp } from './app.ts';
import { createHttpServer, listen, stopListening } from './http/http-server.ts';
import { createWaitForJob } from './jobs/wait-for-job.ts';

/** Entry of `web`. */
await runMain(async () => {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, process: 'web' });
  await prepareDatabase(config, log, 'web');
  const { resources, closing } = await openResources(config, log, { mongo: 'request', redis: 'request' });
  const { redis, queues } = resources;
  const { redisPrefix: prefix } = config;
  const waitForJob = await createWaitForJob({ redis, queues, config });
  const metrics = createMetrics();
  const metricsTotals = createMetricsTotals(metrics, { redis, prefix, process: 'web' });
  const endMetrics = metricsTotals.start(log);
  const app = createApp({
    ...resources,
    waitForJob,
    metrics,
    metricsTotals,
    passwords: createPasswords(),
  });
  const server = createHttpServer(app, log);
  await listen(server, config);
  log.info('web is up', { port: config.port });
  shutdownOnSignal(
    [
      { name: 'server', run: () => stopListening(server, config.shutdownGraceMs) },
      { name: 'job results', run: async () => waitForJob.close() },
      { name: 'metrics', run: () => closeOrDisconnect(redis, endMetrics()) },
      ...closing,
    ],
    { graceMs: config.shutdownGraceMs, log },
  );
});
