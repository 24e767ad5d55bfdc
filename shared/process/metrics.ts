import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Redis } from 'ioredis';
import {
  Counter,
  collectDefaultMetrics,
  Histogram,
  type MetricObjectWithValues,
  type MetricValueWithName,
  Registry,
} from 'prom-client';
import { allQueues } from '../all-queues.ts';
import { minute, second } from '../durations.ts';
import { errorFields, type Log } from './log.ts';

/** How an attempt at a job ended: `failed` is final, `retried` is followed by another attempt. */
export type AttemptOutcome = (typeof outcomes)[number];

const outcomes = ['completed', 'retried', 'failed'] as const;

/**
 * The counters of a process. The totals over all processes are in Redis (`createMetricsTotals`).
 * The values of labels are bounded: names of routes, queues, limits and kinds, never ids or raw
 * paths.
 */
export type Metrics = ReturnType<typeof createMetrics>;

const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const jobSeconds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 120];
const lagSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

export function createMetrics() {
  const registry = new Registry();
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers: [registry] });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) => new Histogram<Label>({ name, help, labelNames, buckets, registers: [registry] });

  const metrics = {
    registry,
    httpRequests: counter('http_requests_total', 'Requests with a response, by the pattern of their route.', [
      'method',
      'route',
      'status',
    ]),
    httpDuration: histogram(
      'http_request_duration_seconds',
      'Time from a request to its response.',
      ['method', 'route'],
      requestSeconds,
    ),
    rateLimitRefusals: counter('rate_limit_refusals_total', 'Requests refused by a rate limit.', ['limit']),
    /** `cache` names the cache; `result` is `hit` or `miss`. */
    cacheRequests: counter('cache_requests_total', 'Lookups in a cache.', ['cache', 'result']),
    scenariosCreated: counter('scenarios_created_total', 'Scenarios created.', ['region', 'status']),
    jobAttempts: counter<'queue' | 'outcome'>('job_attempts_total', 'Attempts at jobs, by how they ended.', [
      'queue',
      'outcome',
    ]),
    jobDuration: histogram('job_duration_seconds', 'Duration of an attempt at a job.', ['queue'], jobSeconds),
    ingestEntries: counter('ingest_entries_total', 'Log entries processed.', []),
    ingestRejected: counter(
      'ingest_rejected_entries_total',
      'Log entries that are not valid, in accepted requests.',
      [],
    ),
    ingestSkipped: counter('ingest_skipped_entries_total', 'Log entries without a message, in accepted requests.', []),
    ingestBytes: counter('ingest_bytes_total', 'Size of the processed log entries.', []),
    piiFindings: counter<'type'>('pii_findings_total', 'Personal data found in log entries.', ['type']),
    eventLoopLag: histogram(
      'event_loop_lag_seconds',
      'Longest delay of the event loop in each second.',
      ['process'],
      lagSeconds,
    ),
  };
  // Visible before the first event, so that the first failure is an increase.
  for (const queue of Object.keys(allQueues)) {
    for (const outcome of outcomes) metrics.jobAttempts.inc({ queue, outcome }, 0);
  }
  return metrics;
}

export type MetricsTotals = ReturnType<typeof createMetricsTotals>;

const publishInterval = 5 * second;
const lagInterval = 1 * second;
/**
 * Interval of the timer that observes the event loop, in milliseconds: a delay is found up to this
 * much too short. A shorter one wakes an idle process for most of the time that it takes.
 */
const resolution = 25;

/** One command, so that the parts of a histogram change together. */
const addScript = `
for index = 1, #ARGV, 2 do redis.call('HINCRBYFLOAT', KEYS[1], ARGV[index], ARGV[index + 1]) end`;

/**
 * The totals of all processes, in one hash of Redis. Every process adds what its counters have
 * gained. The totals survive restarts and are the same in every web process, so `/metrics` can be
 * scraped through a load balancer, and the counters of workers, which have no port, are part of it.
 */
export function createMetricsTotals(
  { registry, eventLoopLag }: Metrics,
  { redis, prefix, process }: { redis: Redis; prefix: string; process: ProcessKind },
) {
  const key = `${prefix}:metrics`;
  const published = new Map<string, number>();
  let publishing: Promise<void> | undefined;

  const publishGained = async () => {
    await publishProcess(redis, prefix, process);
    const gained = ((await registry.getMetricsAsJSON()) as MetricJson[])
      .flatMap(({ name, values }) => values.map((series) => ({ id: idOf(name, series), value: series.value })))
      .filter(({ id, value }) => value !== (published.get(id) ?? 0));
    if (gained.length === 0) return;
    const added = gained.flatMap(({ id, value }) => [id, value - (published.get(id) ?? 0)]);
    await redis.eval(addScript, 1, key, ...added);
    for (const { id, value } of gained) published.set(id, value);
  };
  /** Adds what the counters have gained since the last call. If it fails, the next call adds it. */
  const publish = (): Promise<void> => {
    publishing ??= publishGained().finally(() => {
      publishing = undefined;
    });
    return publishing;
  };

  return {
    publish,
    /** Publishes, then reads the totals of all processes, and the `process_*` metrics of each. */
    read: async (): Promise<MetricJson[]> => {
      await publish();
      const totals = await redis.hgetall(key);
      const metrics = (await registry.getMetricsAsJSON()) as MetricJson[];
      const summed = metrics.map((metric) => ({ ...metric, values: valuesOf(metric, totals) }));
      return [...summed, ...(await readProcesses(redis, prefix))];
    },
    /**
     * Observes the event loop of this process, and publishes its counters every five seconds. A
     * process that is killed loses the counts since then.
     * @returns a function that ends both and publishes the rest.
     */
    start: (log: Log): (() => Promise<void>) => {
      const delays = monitorEventLoopDelay({ resolution });
      delays.enable();
      const lagTimer = setInterval(() => {
        // A delay is measured from one run of the timer to the next, so it includes the interval.
        eventLoopLag.observe({ process }, Math.max(0, delays.max / 1e9 - resolution / second));
        delays.reset();
      }, lagInterval);
      const publishTimer = setInterval(() => {
        publish().catch((error: unknown) => log.warn('metrics not published', errorFields(error)));
      }, publishInterval);
      return async () => {
        clearInterval(lagTimer);
        clearInterval(publishTimer);
        delays.disable();
        await publish();
      };
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

type Series = MetricValueWithName<string>;
export type MetricJson = MetricObjectWithValues<Series>;

/**
 * A process that has not published for so long has ended. Longer than clocks of machines differ.
 */
const lifetime = 1 * minute;

type ProcessKind = 'web' | 'worker';

interface PublishedProcess {
  /** Epoch milliseconds, by the clock of the process. */
  at: number;
  metrics: MetricJson[];
}

let processRegistry: Registry | undefined;

const keyOf = (prefix: string) => `${prefix}:process-metrics`;

/**
 * Publishes prom-client's `process_*` metrics of this process in Redis, because workers have no
 * port: processor time, memory, start and open files.
 */
async function publishProcess(redis: Redis, prefix: string, kind: ProcessKind): Promise<void> {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    // Its monitor of the event loop, which is not published, would wake the process every 10 ms.
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: lagInterval });
  }
  // The host tells apart the processes of containers, which have the same number.
  const labels = { host: hostname(), pid: String(process.pid), process: kind };
  const metrics = ((await processRegistry.getMetricsAsJSON()) as MetricJson[])
    .filter(({ name }) => name.startsWith('process_'))
    .map((metric) => ({
      ...metric,
      // Its labels make each series unique; prom-client would leave some out.
      aggregator: 'sum' as const,
      values: metric.values.map((series) => ({ ...series, labels: { ...series.labels, ...labels } })),
    }));
  const published: PublishedProcess = { at: Date.now(), metrics };
  await redis.hset(keyOf(prefix), Object.values(labels).join(' '), JSON.stringify(published));
}

/**
 * The metrics of all present processes one after the other, so that a name is there once for each
 * process. Removes those of processes that have ended.
 */
async function readProcesses(redis: Redis, prefix: string): Promise<MetricJson[]> {
  const present: MetricJson[] = [];
  for (const [field, json] of Object.entries(await redis.hgetall(keyOf(prefix)))) {
    const { at, metrics } = JSON.parse(json) as PublishedProcess;
    if (Date.now() - at > lifetime) await redis.hdel(keyOf(prefix), field);
    else present.push(...metrics);
  }
  return present;
}
