import type { QueryFilter } from 'mongoose';
import type { Notebook } from '../../shared/notebooks/notebook.model.ts';
import type {
  NotebookCallsResult,
  NotebookFields,
  NotebookOwners,
  NotebookPageQuery,
} from '../../shared/notebooks/notebook-calls.queue.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { BackendCall } from './backends/notebook-backend.ts';
import { NotebookAbsent } from './backends/upstream-error.ts';
import { recordRef, toNotebookFields, toReference, visibleRecords } from './notebook-records.ts';

type Deps = Pick<WorkerDeps, 'notebookBackend' | 'models'>;

/** Concurrent reads of one list at the backend. */
const readsAtOnce = 10;
/** Notebooks that one list searches for in other folders. */
const maxLocated = 100;

const sortKeys = { created_at: 'createdAt', updated_at: 'updatedAt', title: 'titleKey' } as const;

/**
 * The notebooks of the backend that have a record. The backend pages the list if it can; otherwise
 * our records are paged.
 */
export async function listNotebooks(
  page: NotebookPageQuery,
  visibleTo: NotebookOwners['visibleTo'],
  call: BackendCall,
  deps: Deps,
): Promise<NotebookCallsResult> {
  const { notebookBackend: backend, models } = deps;
  // Pages of a backend have notebooks of all owners.
  if (visibleTo && backend.capabilities.pagedList) return listByRecords(page, visibleTo, call, deps);
  const listed = await backend.list(page, call);
  const stored = new Map(listed.items.map((item) => [item.ref, item]));
  for (const ref of await locateUnlisted(stored, visibleTo, call, deps)) stored.set(ref, { ref });
  const known = { backendRef: { $in: [...stored.keys()] }, ...visibleRecords(visibleTo) };
  if (listed.total !== undefined) {
    const records = new Map((await models.notebook.find(known).lean()).map((record) => [record.backendRef, record]));
    const items = listed.items.flatMap((item) => {
      const record = records.get(item.ref);
      return record ? [toNotebookFields(record, item)] : [];
    });
    return { outcome: 'page', items, total: listed.total };
  }
  const { records, total } = await findPage(models, known, page);
  return {
    outcome: 'page',
    items: records.map((record) => toNotebookFields(record, stored.get(record.backendRef))),
    total,
  };
}

/**
 * Finds notebooks that have a record and were not listed, because they were moved at the backend.
 * @returns the backend's ids of those found. They are stored in the records.
 */
async function locateUnlisted(
  listed: ReadonlyMap<string, unknown>,
  visibleTo: NotebookOwners['visibleTo'],
  call: BackendCall,
  deps: Deps,
): Promise<string[]> {
  const { notebookBackend: backend, models } = deps;
  if (!backend.locate) return [];
  const visible = visibleRecords(visibleTo);
  const [all, known] = await Promise.all([
    models.notebook.countDocuments(visible),
    models.notebook.countDocuments({ backendRef: { $in: [...listed.keys()] }, ...visible }),
  ]);
  if (all === known) return [];
  const unlisted: Notebook[] = [];
  // Listed ones are left out here, because `$nin` with thousands of values is slow.
  const records = models.notebook.find(visible, { backendRef: 1, title: 1, createdAt: 1 }).sort({ updatedAt: -1 });
  for await (const record of records.lean<Notebook[]>().cursor()) {
    if (!listed.has(record.backendRef)) unlisted.push(record);
    if (unlisted.length === maxLocated) break;
  }
  const located = await backend.locate(unlisted.map(toReference), call);
  for (const record of unlisted) await recordRef(record, located.get(record._id) ?? record.backendRef, deps);
  return [...located.values()];
}

/** The notebooks of some owners: a page of our records, each with what the backend has of it. */
async function listByRecords(
  page: NotebookPageQuery,
  visibleTo: NonNullable<NotebookOwners['visibleTo']>,
  call: BackendCall,
  { notebookBackend, models }: Deps,
): Promise<NotebookCallsResult> {
  const { records, total } = await findPage(models, visibleRecords(visibleTo), page);
  const items: NotebookFields[] = [];
  for (let start = 0; start < records.length; start += readsAtOnce) {
    const reads = records.slice(start, start + readsAtOnce).map(async (record) => {
      try {
        return toNotebookFields(record, await notebookBackend.read(toReference(record), call));
      } catch (error) {
        if (error instanceof NotebookAbsent) return null;
        throw error;
      }
    });
    items.push(...(await Promise.all(reads)).filter((notebook) => notebook !== null));
  }
  // Like other lists, an empty one requires a backend that responds.
  if (records.length === 0) await notebookBackend.ping(call);
  return { outcome: 'page', items, total };
}

async function findPage(models: Deps['models'], filter: QueryFilter<Notebook>, page: NotebookPageQuery) {
  const [records, total] = await Promise.all([
    models.notebook
      .find(filter)
      .sort({ [sortKeys[page.sort]]: page.order, _id: page.order })
      .skip(page.offset)
      .limit(page.limit)
      .lean(),
    models.notebook.countDocuments(filter),
  ]);
  return { records, total };
}
