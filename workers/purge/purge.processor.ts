import { randomUUID } from 'node:crypto';
import type { QueryFilter } from 'mongoose';
import { removeInPortions } from '../../shared/connections/mongo.ts';
import { day, hour } from '../../shared/durations.ts';
import type { FileId } from '../../shared/files/file-store.ts';
import { type PurgeResult, purgeQueue } from '../../shared/purge/purge.queue.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import { defineProcessor, type SweepDeps } from '../jobs/define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/** Removes what is past its end, as `purge/main.ts` does by hand. */
export const purgeProcessor = defineProcessor(
  purgeQueue,
  async (_payload, deps, { reportProgress }): Promise<PurgeResult> => ({
    removed: await purge(deps, { onStep: reportProgress }),
  }),
  { sweep: ensurePurges },
);

/** Schedules a purge every hour, in one of all workers. Redis stores the schedule. */
export async function ensurePurges({ queues }: Pick<SweepDeps, 'queues'>): Promise<void> {
  if (await queues.purge.isRepeated('purge')) return;
  await queues.purge.repeat('purge', { every: hour }, { requestId: randomUUID() });
}

type PurgeDeps = Pick<WorkerDeps, 'models' | 'reportFiles'> & {
  config: Pick<WorkerDeps['config'], 'logRetentionDays' | 'reportRetentionDays'>;
};

/**
 * Removes what is past its end, or only counts it. It can be interrupted and repeated.
 * @returns the number of removed things.
 */
type PurgeStep = (deps: PurgeDeps, isDryRun: boolean) => Promise<number>;

const steps: Readonly<Record<string, PurgeStep>> = {
  'log batches': removeLogs,
  'files of expired reports': expireReports,
  'records of old reports': removeOldRecords,
  'files without a report': removeOrphans,
};

/** What indexes of the database remove, within a minute or so. */
export const removedByIndex: Readonly<Record<string, (deps: PurgeDeps) => Promise<number>>> = {
  // `async`, because the compiler takes seconds to compare the types of two queries.
  'idempotency records': async ({ models }) => models.idempotencyRecord.countDocuments(expired()),
  sessions: async ({ models }) => models.session.countDocuments(expired()),
};

const expired = () => ({ expiresAt: { $lt: new Date() } });
const before = (days: number) => ({ $lt: new Date(Date.now() - days * day) });

/**
 * Removes everything that is past its end, or only counts it.
 * @param onStep is called before each step.
 * @returns the number of things by step; in a dry run, with those that indexes remove.
 */
export async function purge(
  deps: PurgeDeps,
  { isDryRun = false, onStep = () => {} }: { isDryRun?: boolean; onStep?: () => void } = {},
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const [name, step] of Object.entries(steps)) {
    onStep();
    removed[name] = await step(deps, isDryRun);
  }
  if (isDryRun) for (const [name, count] of Object.entries(removedByIndex)) removed[name] = await count(deps);
  return removed;
}

/** Days after the last attempt. Then a retry is no longer possible, because it needs the text. */
const failedRetentionDays = 7;

/**
 * Removes counted batches and failed ones: what is still to be counted stays. The retention, at
 * least seven days, begins when a batch is counted. By then, no `Idempotency-Key` and no roll-up
 * has its id. Metrics stay: they are computed from hours, which contain the counted batches.
 */
export async function removeLogs({ models: { logBatch }, config }: PurgeDeps, isDryRun = false): Promise<number> {
  let removed = 0;
  for (const filter of [
    { counted: true, countedAt: before(config.logRetentionDays) },
    { state: 'failed', failedAt: before(failedRetentionDays) },
  ]) {
    const { collection } = logBatch;
    removed += await (isDryRun ? collection.countDocuments(filter) : removeInPortions(collection, filter));
  }
  return removed;
}

const portionSize = 100;

/**
 * Removes the files of ready reports that are due, and of expired ones that a purge which was
 * interrupted has left. A report is marked first, so that no client begins to download what is
 * being removed, and names its file until that is gone.
 */
async function expireReports({ models, reportFiles, config }: PurgeDeps, isDryRun: boolean): Promise<number> {
  const due: QueryFilter<Report> = {
    $or: [
      { status: 'ready', createdAt: before(config.reportRetentionDays) },
      { status: 'expired', fileId: { $type: 'objectId' } },
    ],
  };
  if (isDryRun) return models.report.countDocuments(due);
  for (let removed = 0; ; ) {
    const reports = await models.report.find(due, { fileId: 1 }).limit(portionSize).lean<Report[]>();
    if (reports.length === 0) return removed;
    for (const { _id, fileId } of reports) {
      await models.report.updateOne({ _id }, { $set: { status: 'expired', updatedAt: new Date() } });
      if (fileId) await reportFiles.remove(fileId);
      await models.report.updateOne({ _id }, { $unset: { fileId: 1 } });
      removed += 1;
    }
  }
}

/** Days after which the record of a report is removed too. */
const recordDays = 365;

async function removeOldRecords({ models: { report } }: PurgeDeps, isDryRun: boolean): Promise<number> {
  const old = { status: { $in: ['failed', 'expired'] as const }, createdAt: before(recordDays) };
  return isDryRun ? report.countDocuments(old) : (await report.deleteMany(old)).deletedCount;
}

/** Removes files that no report names: of deleted reports, and parts of killed workers. */
async function removeOrphans({ models, reportFiles }: PurgeDeps, isDryRun: boolean): Promise<number> {
  let removed = 0;
  const removeFrom = async (ids: readonly FileId[]) => {
    // A report names its file before the first byte is written, so what has no report now will have
    // none.
    const named = await models.report.find({ fileId: { $in: [...ids] } }, { fileId: 1 }).lean<Report[]>();
    const names = new Set(named.map(({ fileId }) => String(fileId)));
    for (const id of ids.filter((file) => !names.has(String(file)))) {
      if (!isDryRun) await reportFiles.remove(id);
      removed += 1;
    }
  };
  let portion: FileId[] = [];
  for await (const id of reportFiles.listIds()) {
    portion.push(id);
    if (portion.length === portionSize) await removeFrom(portion.splice(0));
  }
  await removeFrom(portion);
  return removed;
}
