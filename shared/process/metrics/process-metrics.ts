import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { collectDefaultMetrics, type MetricObjectWithValues, type MetricValueWithName, Registry } from 'prom-client';
import { minute } from '../../durations.ts';

export type Series = MetricValueWithName<string>;
export type MetricJson = MetricObjectWithValues<Series>;

/**
 * A process that has not published for so long has ended. Longer than clocks of machines differ.
 */
const lifetime = 1 * minute;

export type ProcessKind = 'web' | 'worker';

interface PublishedProcess {
  /** Epoch milliseconds, by the clock of the process. */
  at: number;
  metrics: MetricJson[];
}

let registry: Registry | undefined;

/**
 * prom-client's `process_*` metrics: processor time, memory, start and open files of this process.
 */
async function ownMetrics(labels: Record<string, string>): Promise<MetricJson[]> {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  const all = (await registry.getMetricsAsJSON()) as MetricJson[];
  const ofProcess = all.filter(({ name }) => name.startsWith('process_'));
  return ofProcess.map((metric) => ({
    ...metric,
    // Its labels make each series unique; prom-client would leave some out.
    aggregator: 'sum' as const,
    values: metric.values.map((series) => ({ ...series, labels: { ...series.labels, ...labels } })),
  }));
}

const keyOf = (prefix: string) => `${prefix}:process-metrics`;
/**
 * Tells apart the processes of a host and, by the host, those of containers, which have the same
 * number.
 */
const fieldOf = (labels: object) => Object.values(labels).join(' ');

/** Publishes the metrics of this process in Redis, because workers have no port. */
export async function publishProcess(redis: Redis, prefix: string, kind: ProcessKind): Promise<void> {
  const labels = { host: hostname(), pid: String(process.pid), process: kind };
  const published: PublishedProcess = { at: Date.now(), metrics: await ownMetrics(labels) };
  await redis.hset(keyOf(prefix), fieldOf(labels), JSON.stringify(published));
}

/** The metrics of all present processes. Removes those of processes that have ended. */
export async function readProcesses(redis: Redis, prefix: string): Promise<MetricJson[]> {
  const byName = new Map<string, MetricJson>();
  for (const [field, json] of Object.entries(await redis.hgetall(keyOf(prefix)))) {
    const { at, metrics } = JSON.parse(json) as PublishedProcess;
    if (Date.now() - at > lifetime) {
      await redis.hdel(keyOf(prefix), field);
      continue;
    }
    for (const metric of metrics) {
      const known = byName.get(metric.name);
      if (known) known.values.push(...metric.values);
      else byName.set(metric.name, metric);
    }
  }
  return [...byName.values()];
}
