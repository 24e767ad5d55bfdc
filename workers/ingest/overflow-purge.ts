import { hour } from '../../shared/durations.ts';
import type { FileId, FileStore, FileStores } from '../../shared/files/file-store.ts';
import { ingestRetryWindow } from '../../shared/ingest/ingest-entries.queue.ts';
import type { IngestOverflow } from '../../shared/ingest/ingest-overflow.ts';
import type { OverflowedBatch } from '../../shared/ingest/overflowed-batch.model.ts';
import type { Models } from '../../shared/models.ts';

interface Deps {
  models: Pick<Models, 'overflowedBatch'>;
  files: Pick<FileStores, 'overflow'>;
  overflow: IngestOverflow;
}

/** Longer than a file can wait for its row (`acceptWithin`), with a margin for clocks. */
const orphanAge = 1 * hour;
const portionSize = 100;

/** Batches that no worker has processed in the time for which Redis retains entries too. */
const pastEnd = () => ({ createdAt: { $lt: new Date(Date.now() - ingestRetryWindow) } });

export const countExpiredOverflow = async ({ models }: Pick<Deps, 'models'>): Promise<number> =>
  models.overflowedBatch.countDocuments(pastEnd());

export const removeExpiredOverflow = (deps: Deps): Promise<number> => removeOverflowed(deps, pastEnd());

/** Removes the overflowed batches of a scenario. */
export const removeOverflowOf = (deps: Omit<Deps, 'files'>, scenarioId: string, onStep: () => void): Promise<number> =>
  removeOverflowed(deps, { scenarioId }, onStep);

async function removeOverflowed(
  { models, overflow }: Pick<Deps, 'models' | 'overflow'>,
  filter: object,
  onStep: () => void = () => {},
): Promise<number> {
  for (let removed = 0; ; onStep()) {
    const found = await models.overflowedBatch
      .find(filter, { _id: 1 })
      .limit(portionSize)
      .lean<Pick<OverflowedBatch, '_id'>[]>();
    if (found.length === 0) return removed;
    for (const { _id } of found) await overflow.remove(_id);
    removed += found.length;
  }
}

export async function countOverflowOrphans(deps: Deps): Promise<number> {
  let count = 0;
  for await (const _orphan of findOrphans(deps)) count += 1;
  return count;
}

export async function removeOverflowOrphans(deps: Deps): Promise<number> {
  let removed = 0;
  for await (const id of findOrphans(deps)) {
    await deps.files.overflow.remove(id);
    removed += 1;
  }
  return removed;
}

/** The files that no batch names: of processes that ended between the two writes. */
async function* findOrphans({ models, files }: Deps): AsyncGenerator<FileId> {
  for await (const ids of inPortions(files.overflow)) {
    const named = await models.overflowedBatch.find({ fileId: { $in: ids } }, { fileId: 1 }).lean<OverflowedBatch[]>();
    const names = new Set(named.map(({ fileId }) => String(fileId)));
    yield* ids.filter((id) => !names.has(String(id)));
  }
}

/** The files that are old enough; the oldest come first. */
async function* inPortions(files: FileStore): AsyncGenerator<FileId[]> {
  let portion: FileId[] = [];
  for await (const id of files.listIds()) {
    if (Date.now() - id.getTimestamp().getTime() < orphanAge) break;
    portion.push(id);
    if (portion.length < portionSize) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
