import type { QueueName } from '../../../shared/all-queues.ts';

/** The work of each queue, in words for people. */
const purposes: Readonly<Record<QueueName, string>> = {
  'append-audit-records': 'writes audit records',
  'delete-scenario': 'removes what belongs to deleted scenarios',
  'ingest-entries': 'counts log entries that have arrived',
  'notebook-calls': 'calls the notebook backend',
  purge: 'removes what is past its end',
  'render-csv': 'makes CSV reports',
  'render-report': 'makes PDF reports',
  'roll-up-usage': 'sums usage up by day',
  'run-report-schedule': 'starts scheduled reports',
};

export const queueNames = Object.keys(purposes);

/** Empty for a queue of a newer service. */
export const purposeOf = (queue: string): string => (purposes as Readonly<Record<string, string>>)[queue] ?? '';

/** The page of operators for a queue, or for one of its jobs (Bull Board). */
export const dashboardOf = (queue: string, jobId?: string): string =>
  `admin/queues/queue/${queue}${jobId === undefined ? '' : `/${encodeURIComponent(jobId)}`}`;
