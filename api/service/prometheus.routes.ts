import { AggregatorRegistry } from 'prom-client';
import { allQueues, type QueueName, type Queues } from '../../shared/all-queues.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import { second } from '../../shared/durations.ts';
import type { QueuedBatches } from '../../shared/ingest/backlog.ts';
import type { MetricJson } from '../../shared/process/metrics.ts';
import { serviceVersion } from '../../shared/service-version.ts';
import type { RouteDeps } from '../app-deps.ts';
import { metricsTokenAccess } from '../http/access/access-rules.ts';
import { content, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { serviceTag } from './health.routes.ts';

export function prometheusRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/metrics',
      operationId: 'getServiceMetrics',
      tag: serviceTag,
      summary: "Report the service's metrics to Prometheus",
      description:
        'Totals of all `web` and `worker` processes, whichever process responds. Requires `METRICS_TOKEN` as a bearer token; without that variable, the metrics are open in development and unavailable in production.',
      access: metricsTokenAccess,
      limit: null,
      responses: { 200: content('text/plain', { headers: ['Content-Type'] }) },
      errors: { SERVICE_UNAVAILABLE: 'Redis is unreachable.' },
      handle: async (_request, deps) =>
        reply(200, await withRedis(() => readMetrics(deps)), {
          'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        }),
    }),
  ];
}

/** The totals of all processes, and the present state of queues, backlog and circuit breaker. */
async function readMetrics({ metricsTotals, queues, notebookBreaker, backlog, config }: RouteDeps): Promise<string> {
  // While the database is unreachable, the other metrics are served.
  const queued = await backlog.read().catch(() => backlog.known());
  const [totals, queueGauges, breaker] = await Promise.all([
    metricsTotals.read(),
    readQueueGauges(queues, queued),
    notebookBreaker.state(),
  ]);
  const all = [
    ...totals,
    ...queueGauges,
    single('ingest_backlog_batches', 'Batches of log entries that are accepted and not processed.', queued.batches),
    single('ingest_backlog_bytes', 'Bytes of these batches, as they count against the limit.', queued.bytes),
    single(
      'ingest_backlog_limit_bytes',
      'The limit of these bytes (INGEST_MAX_BACKLOG_BYTES).',
      config.ingest.maxBacklogBytes,
    ),
    single('notebook_breaker_open', 'Whether calls of the notebook backend are suspended (1).', Number(breaker.open)),
    buildInfo,
  ];
  return AggregatorRegistry.aggregate([all]).metrics();
}

const states = ['wait', 'prioritized', 'active', 'delayed', 'completed', 'failed'] as const;

async function readQueueGauges(queues: Queues, { oldest }: QueuedBatches): Promise<MetricJson[]> {
  const names = Object.keys(allQueues) as QueueName[];
  const read = names.map(async (name) => {
    const [counts, oldestJob] = await Promise.all([
      queues[name].queue.getJobCounts(...states),
      findOldest(queues, name),
    ]);
    const addedAt = name === 'ingest-entries' ? Math.min(oldestJob, oldest) : oldestJob;
    return { name, counts: Object.entries(counts), age: Math.max(0, Date.now() - addedAt) / second };
  });
  const found = await Promise.all(read);
  const jobs = found.flatMap(({ name: queue, counts }) =>
    counts.map(([state, value]) => ({ labels: { queue, state }, value })),
  );
  const ages = found.map(({ name: queue, age }) => ({ labels: { queue }, value: age }));
  return [
    gauge('queue_jobs', 'Jobs by queue and state; those that wait for a retry are delayed.', jobs),
    gauge('queue_oldest_job_age_seconds', 'Age of the oldest job that waits or runs; 0 without one.', ages),
  ];
}

const gauge = (name: string, help: string, values: MetricJson['values']) =>
  ({ name, help, type: 'gauge', aggregator: 'sum', values }) as unknown as MetricJson;

const single = (name: string, help: string, value: number) => gauge(name, help, [{ labels: {}, value }]);

const buildInfo = gauge('meterbook_build_info', 'The version of the service and of Node.js; always 1.', [
  { labels: { version: serviceVersion, node: process.versions.node }, value: 1 },
]);

/**
 * When the oldest job that waits or runs was added, in epoch milliseconds; Infinity without one.
 * For jobs with a priority, the next one counts. Delayed jobs are left out: they are ordered by the
 * time of their retry, not by age.
 */
async function findOldest(queues: Queues, name: QueueName): Promise<number> {
  const oldest = await queues[name].queue.getJobs(['wait', 'prioritized', 'active'], 0, 0, true);
  // A job that is removed concurrently is undefined.
  return Math.min(...oldest.flatMap((job) => (job ? [job.timestamp] : [])));
}
