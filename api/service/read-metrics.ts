import { AggregatorRegistry } from 'prom-client';
import { allQueues, type QueueName, type Queues } from '../../shared/all-queues.ts';
import { second } from '../../shared/durations.ts';
import type { CircuitBreaker } from '../../shared/notebooks/circuit-breaker.ts';
import type { MetricsTotals } from '../../shared/process/metrics/metrics-totals.ts';
import type { MetricJson } from '../../shared/process/metrics/process-metrics.ts';
import { serviceVersion } from '../../shared/service-version.ts';

/** Reads all metrics in Prometheus's text format. */
export type ReadMetrics = () => Promise<string>;

/** Scrapes within this time share one reading, so that their number does not multiply the work. */
const cacheTime = 1 * second;
const states = ['wait', 'prioritized', 'active', 'delayed', 'completed', 'failed'] as const;

/**
 * Creates a reader of the totals of all processes, and of the present state of queues and circuit
 * breaker.
 */
export function createMetricsReader(deps: {
  metricsTotals: MetricsTotals;
  queues: Queues;
  notebookBreaker: CircuitBreaker;
}): ReadMetrics {
  const { metricsTotals, queues, notebookBreaker } = deps;
  const read = async () => {
    const [totals, queueGauges, breaker] = await Promise.all([
      metricsTotals.read(),
      readQueueGauges(queues),
      notebookBreaker.state(),
    ]);
    const breakerGauge = gauge('notebook_breaker_open', 'Whether calls of the notebook backend are suspended (1).', [
      { labels: {}, value: Number(breaker.open) },
    ]);
    return AggregatorRegistry.aggregate([[...totals, ...queueGauges, breakerGauge, buildInfo]]).metrics();
  };
  let reading: { at: number; text: Promise<string> } | undefined;
  return () => {
    const now = performance.now();
    if (reading === undefined || now - reading.at >= cacheTime) {
      const text = read();
      const current = { at: now, text };
      reading = current;
      // A failure is not cached.
      text.catch(() => {
        if (reading === current) reading = undefined;
      });
    }
    return reading.text;
  };
}

async function readQueueGauges(queues: Queues): Promise<MetricJson[]> {
  const names = Object.keys(allQueues) as QueueName[];
  const counted = await Promise.all(names.map((name) => queues[name].queue.getJobCounts(...states)));
  const ages = await Promise.all(names.map((name) => oldestAge(queues, name)));
  return [
    gauge(
      'queue_jobs',
      'Jobs by queue and state; those that wait for a retry are delayed.',
      counted.flatMap((counts, index) =>
        Object.entries(counts).map(([state, value]) => ({ labels: { queue: names[index] ?? '', state }, value })),
      ),
    ),
    gauge(
      'queue_oldest_job_age_seconds',
      'Age of the oldest job that waits or runs; 0 without one.',
      ages.map((value, index) => ({ labels: { queue: names[index] ?? '' }, value })),
    ),
  ];
}

/**
 * In seconds. For jobs with a priority, the age of the next one. Delayed jobs are left out: they
 * are ordered by the time of their retry, not by age.
 */
async function oldestAge(queues: Queues, name: QueueName): Promise<number> {
  const oldest = await queues[name].queue.getJobs(['wait', 'prioritized', 'active'], 0, 0, true);
  const added = oldest.flatMap((job) => (job ? [job.timestamp] : []));
  return added.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...added)) / second;
}

const gauge = (name: string, help: string, values: MetricJson['values']) =>
  ({ name, help, type: 'gauge', aggregator: 'sum', values }) as unknown as MetricJson;

const buildInfo = gauge('meterbook_build_info', 'The version of the service and of Node.js; always 1.', [
  { labels: { version: serviceVersion, node: process.versions.node }, value: 1 },
]);
