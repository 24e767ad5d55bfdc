import type { Queues } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import type { FileStore } from '../../shared/files/file-store.ts';
import type { Models } from '../../shared/models.ts';
import { countExpiredLogs, removeExpiredLogs } from './log-retention.ts';
import {
  countExpiredReports,
  countOldRecords,
  countOrphans,
  expireReports,
  removeOldRecords,
  removeOrphans,
} from './report-purge.ts';

export interface PurgeDeps {
  models: Models;
  queues: Queues;
  reportFiles: FileStore;
  config: Pick<Config, 'logRetentionDays' | 'reportRetentionDays'>;
}

/** A kind of data that is past its end. Each step can be interrupted and repeated. */
interface PurgeStep {
  readonly name: string;
  readonly count: (deps: PurgeDeps) => Promise<number>;
  /** Absent: indexes of the database remove it. */
  readonly remove?: (deps: PurgeDeps) => Promise<number>;
}

const steps: readonly PurgeStep[] = [
  { name: 'log batches', count: countExpiredLogs, remove: removeExpiredLogs },
  {
    name: 'files of expired reports',
    count: (deps) => countExpiredReports(deps, deps.config.reportRetentionDays),
    remove: (deps) => expireReports(deps, deps.config.reportRetentionDays),
  },
  { name: 'records of old reports', count: countOldRecords, remove: removeOldRecords },
  { name: 'files without a report', count: countOrphans, remove: removeOrphans },
  // `async`, because the compiler takes seconds to compare the types of two queries.
  { name: 'idempotency records', count: async ({ models }) => models.idempotencyRecord.countDocuments(expired()) },
  { name: 'sessions', count: async ({ models }) => models.session.countDocuments(expired()) },
];

const expired = () => ({ expiresAt: { $lt: new Date() } });

/**
 * Removes everything that is past its end.
 * @param onStep is called before each step.
 * @returns the number of removed things by step.
 */
export async function purge(
  deps: PurgeDeps,
  onStep: (name: string, progress: number) => void = () => {},
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const [index, { name, remove }] of steps.entries()) {
    if (!remove) continue;
    onStep(name, Math.round((100 * index) / steps.length));
    removed[name] = await remove(deps);
  }
  return removed;
}

interface PurgeForecast {
  name: string;
  count: number;
  /** Whether indexes of the database remove it, within a minute or so. */
  byIndex: boolean;
}

/** Lists what a purge would remove now. */
export async function forecastPurge(deps: PurgeDeps): Promise<PurgeForecast[]> {
  const forecast: PurgeForecast[] = [];
  for (const { name, count, remove } of steps) forecast.push({ name, count: await count(deps), byIndex: !remove });
  return forecast;
}
