import { Counter, Histogram, Registry } from 'prom-client';
import { allQueues } from '../../all-queues.ts';

/** How an attempt at a job ended: `failed` is final, `retried` is followed by another attempt. */
export type AttemptOutcome = (typeof outcomes)[number];

const outcomes = ['completed', 'retried', 'failed'] as const;

/**
 * The counters of a process. The totals over all processes are in Redis (`metrics-totals.ts`). The
 * values of labels are bounded: names of routes, queues, limits and kinds, never ids or raw paths.
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
