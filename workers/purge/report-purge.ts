import type { QueryFilter } from 'mongoose';
import { day } from '../../shared/durations.ts';
import type { FileId, FileStore } from '../../shared/files/file-store.ts';
import type { Models } from '../../shared/models.ts';
import type { Report } from '../../shared/reports/report.model.ts';

interface Deps {
  models: Pick<Models, 'report'>;
  reportFiles: FileStore;
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

export async function countExpiredReports({ models }: Deps, retentionDays: number): Promise<number> {
  return models.report.countDocuments(dueFilter(retentionDays));
}

/**
 * Removes the files of old reports. A report is marked first, so that no client begins to download
 * what is being removed, and names its file until that is gone.
 */
export async function expireReports({ models, reportFiles }: Deps, retentionDays: number): Promise<number> {
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

export async function countOldRecords({ models }: Deps): Promise<number> {
  return models.report.countDocuments(oldRecords());
}

export async function removeOldRecords({ models }: Deps): Promise<number> {
  return (await models.report.deleteMany(oldRecords())).deletedCount;
}

/**
 * The files that no report names: of deleted reports, and parts that killed workers have written.
 */
async function* findOrphans({ models, reportFiles }: Deps): AsyncGenerator<FileId> {
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
async function withoutReport({ report }: Deps['models'], ids: readonly FileId[]): Promise<FileId[]> {
  if (ids.length === 0) return [];
  const named = await report.find({ fileId: { $in: [...ids] } }, { fileId: 1 }).lean<Report[]>();
  const names = new Set(named.map(({ fileId }) => String(fileId)));
  return ids.filter((id) => !names.has(String(id)));
}

export async function countOrphans(deps: Deps): Promise<number> {
  let count = 0;
  for await (const _orphan of findOrphans(deps)) count += 1;
  return count;
}

export async function removeOrphans(deps: Deps): Promise<number> {
  let removed = 0;
  for await (const id of findOrphans(deps)) {
    await deps.reportFiles.remove(id);
    removed += 1;
  }
  return removed;
}

/** Removes the files of deleted reports. */
export async function removeFiles({ models, reportFiles }: Deps, ids: readonly FileId[]): Promise<number> {
  const orphans = await withoutReport(models, ids);
  for (const id of orphans) await reportFiles.remove(id);
  return orphans.length;
}
