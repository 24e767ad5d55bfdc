import type { QueryFilter } from 'mongoose';
import type { Queues } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { removeInPortions } from '../../shared/connections/mongo.ts';
import { day } from '../../shared/durations.ts';
import type { FileId, FileStore } from '../../shared/files/file-store.ts';
import type { Models } from '../../shared/models.ts';
import type { Report } from '../../shared/reports/report.model.ts';

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
export async function purge(deps: PurgeDeps, onStep: () => void = () => {}): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const { name, remove } of steps) {
    if (!remove) continue;
    onStep();
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

/** After the last attempt. Then a retry is no longer possible, because it needs the text. */
const failedRetention = 7 * day;

/**
 * Counted batches and failed ones: what is still to be counted stays. The retention, at least seven
 * days, begins when a batch is counted. By then, no `Idempotency-Key` and no roll-up has its id.
 */
function expiredFilters({ config }: PurgeDeps) {
  const before = (age: number) => new Date(Date.now() - age);
  return [
    { counted: true, countedAt: { $lt: before(config.logRetentionDays * day) } },
    { state: 'failed', failedAt: { $lt: before(failedRetention) } },
  ] as const;
}

export async function countExpiredLogs(deps: PurgeDeps): Promise<number> {
  let count = 0;
  for (const filter of expiredFilters(deps)) count += await deps.models.logBatch.countDocuments(filter);
  return count;
}

/**
 * Removes log batches that are past their retention. Metrics stay: they are computed from hours,
 * which contain the counted batches.
 * @returns the number of removed log batches.
 */
export async function removeExpiredLogs(deps: PurgeDeps): Promise<number> {
  const { collection } = deps.models.logBatch;
  let removed = 0;
  for (const filter of expiredFilters(deps)) removed += await removeInPortions(collection, filter);
  return removed;
}

/** Days after which the record of a report is removed too, whatever its status. */
const recordDays = 365;
const portionSize = 100;

/**
 * Ready reports whose files are due, and expired ones whose file a purge that was interrupted has
 * left.
 */
const dueFilter = (retentionDays: number): QueryFilter<Report> => {
  const createdAt = { $lt: new Date(Date.now() - retentionDays * day) };
  return {
    $or: [
      { status: 'ready', createdAt },
      { status: 'expired', fileId: { $type: 'objectId' } },
    ],
  };
};

async function countExpiredReports({ models }: PurgeDeps, retentionDays: number): Promise<number> {
  return models.report.countDocuments(dueFilter(retentionDays));
}

/**
 * Removes the files of old reports. A report is marked first, so that no client begins to download
 * what is being removed, and names its file until that is gone.
 */
async function expireReports({ models, reportFiles }: PurgeDeps, retentionDays: number): Promise<number> {
  let expired = 0;
  for (;;) {
    const due = await models.report.find(dueFilter(retentionDays), { fileId: 1 }).limit(portionSize).lean<Report[]>();
    if (due.length === 0) return expired;
    for (const { _id, fileId } of due) {
      await models.report.updateOne({ _id }, { $set: { status: 'expired', updatedAt: new Date() } });
      if (fileId) await reportFiles.remove(fileId);
      await models.report.updateOne({ _id }, { $unset: { fileId: 1 } });
      expired += 1;
    }
  }
}

const oldRecords = (): QueryFilter<Report> => ({
  status: { $in: ['failed', 'expired'] },
  createdAt: { $lt: new Date(Date.now() - recordDays * day) },
});

async function countOldRecords({ models }: PurgeDeps): Promise<number> {
  return models.report.countDocuments(oldRecords());
}

async function removeOldRecords({ models }: PurgeDeps): Promise<number> {
  return (await models.report.deleteMany(oldRecords())).deletedCount;
}

/**
 * The files that no report names: of deleted reports, and parts that killed workers have written.
 */
async function* findOrphans({ models, reportFiles }: PurgeDeps): AsyncGenerator<FileId> {
  let portion: FileId[] = [];
  for await (const id of reportFiles.listIds()) {
    portion.push(id);
    if (portion.length < portionSize) continue;
    yield* await withoutReport(models, portion);
    portion = [];
  }
  yield* await withoutReport(models, portion);
}

/**
 * A report names its file before the first byte is written, so what is found and has no report now
 * will have none.
 */
async function withoutReport({ report }: PurgeDeps['models'], ids: readonly FileId[]): Promise<FileId[]> {
  if (ids.length === 0) return [];
  const named = await report.find({ fileId: { $in: [...ids] } }, { fileId: 1 }).lean<Report[]>();
  const names = new Set(named.map(({ fileId }) => String(fileId)));
  return ids.filter((id) => !names.has(String(id)));
}

async function countOrphans(deps: PurgeDeps): Promise<number> {
  let count = 0;
  for await (const _orphan of findOrphans(deps)) count += 1;
  return count;
}

async function removeOrphans(deps: PurgeDeps): Promise<number> {
  let removed = 0;
  for await (const id of findOrphans(deps)) {
    await deps.reportFiles.remove(id);
    removed += 1;
  }
  return removed;
}
