import type { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { type MetricJson, type ProcessKind, publishProcess, readProcesses, type Series } from './process-metrics.ts';

/**
 * The totals of all processes, in one hash of Redis. Every process adds what its counters have
 * gained. The totals survive restarts and are the same in every web process, so `/metrics` can be
 * scraped through a load balancer, and the counters of workers, which have no port, are part of it.
 */
export interface MetricsTotals {
  /** Adds what the counters have gained since the last call. If it fails, the next call adds it. */
  publish(): Promise<void>;
  /** Publishes, then reads the totals of all processes, and the `process_*` metrics of each. */
  read(): Promise<MetricJson[]>;
}

/** One command, so that the parts of a histogram change together. */
const addScript = `
for index = 1, #ARGV, 2 do redis.call('HINCRBYFLOAT', KEYS[1], ARGV[index], ARGV[index + 1]) end`;

export function createMetricsTotals(options: {
  registry: Registry;
  redis: Redis;
  prefix: string;
  process: ProcessKind;
}): MetricsTotals {
  const { registry, redis, prefix } = options;
  const key = `${prefix}:metrics`;
  const published = new Map<string, number>();
  let publishing: Promise<void> | undefined;

  const publishOnce = async () => {
    const gained = new Map<string, number>();
    for (const metric of (await registry.getMetricsAsJSON()) as MetricJson[]) {
      for (const series of metric.values) {
        const id = idOf(metric.name, series);
        if (series.value !== (published.get(id) ?? 0)) gained.set(id, series.value);
      }
    }
    if (gained.size === 0) return;
    const added = [...gained].flatMap(([id, value]) => [id, value - (published.get(id) ?? 0)]);
    await redis.eval(addScript, 1, key, ...added);
    for (const [id, value] of gained) published.set(id, value);
  };
  const publishAll = async () => {
    await Promise.all([publishOnce(), publishProcess(redis, prefix, options.process)]);
  };
  const publish = () => {
    publishing ??= publishAll().finally(() => {
      publishing = undefined;
    });
    return publishing;
  };

  return {
    publish,
    read: async () => {
      await publish();
      const totals = await redis.hgetall(key);
      const metrics = (await registry.getMetricsAsJSON()) as MetricJson[];
      const summed = metrics.map((metric) => ({ ...metric, values: valuesOf(metric, totals) }));
      return [...summed, ...(await readProcesses(redis, prefix))];
    },
  };
}

/**
 * A series as a field of the hash. The labels are ordered, so that equal labels make equal fields.
 */
function idOf(name: string, { metricName, labels }: Series): string {
  const ordered = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([name, metricName ?? name, ordered.map(([label, value]) => [label, String(value)])]);
}

/** The totals of a metric, and 0 for those of its series that have no total yet. */
function valuesOf({ name, values }: MetricJson, totals: Readonly<Record<string, string>>): Series[] {
  const ids = new Set(values.map((series) => idOf(name, series)));
  const prefix = `[${JSON.stringify(name)},`;
  for (const id of Object.keys(totals)) if (id.startsWith(prefix)) ids.add(id);
  const series = [...ids].map((id): Series => {
    const [, metricName, labels] = JSON.parse(id) as [string, string, [string, string][]];
    return { metricName, labels: Object.fromEntries(labels), value: Number(totals[id] ?? 0) };
  });
  return series.sort(inExpositionOrder);
}

/** The series of a histogram follow one another, its buckets in increasing order. */
function inExpositionOrder(one: Series, other: Series): number {
  const [first, second] = [groupOf(one), groupOf(other)];
  if (first !== second) return first < second ? -1 : 1;
  if (one.metricName !== other.metricName) return (one.metricName ?? '') < (other.metricName ?? '') ? -1 : 1;
  return boundOf(one) - boundOf(other);
}

const groupOf = ({ labels }: Series): string => JSON.stringify({ ...labels, le: undefined });

const boundOf = ({ labels }: Series): number =>
  labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le'] ?? 0);
