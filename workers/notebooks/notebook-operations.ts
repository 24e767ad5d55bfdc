import type { QueryFilter } from 'mongoose';
import { deleteDocument, insertOnce } from '../../shared/connections/mongo.ts';
import { type Notebook, titleKeyOf } from '../../shared/notebooks/notebook.model.ts';
import type {
  NotebookCallsPayload,
  NotebookCallsResult,
  NotebookChanges,
  NotebookFields,
  NotebookOwners,
  NotebookPageQuery,
} from '../../shared/notebooks/notebook-calls.queue.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { BackendCall, BackendNotebook, NotebookReference } from './backends/notebook-backend.ts';
import { ignoreAbsent, NotebookAbsent } from './backends/upstream-error.ts';
import { notebookLock } from './notebook-lock.ts';

// The operations on notebooks. Each operation calls the backend first and changes the service's
// record last, so that every record belongs to a notebook that was created at the backend.

/** Concurrent reads of one list at the backend. A failure ends the list. */
const readsAtOnce = 10;
/** Notebooks that one list searches for in other folders. */
const maxLocated = 100;

const sortKeys = { created_at: 'createdAt', updated_at: 'updatedAt', title: 'titleKey' } as const;

type NotebookPayload = Exclude<NotebookCallsPayload, { operation: 'list' }>;

/** Makes one attempt at an operation. */
export async function runOperation(
  payload: NotebookCallsPayload,
  call: BackendCall,
  deps: WorkerDeps,
): Promise<NotebookCallsResult> {
  const { operation } = payload;
  if (operation === 'list') return listNotebooks(payload.page, payload.visibleTo, call, deps);
  if (operation === 'read' || (operation === 'create' && !payload.attemptedBefore)) {
    return runOnNotebook(payload, call, deps);
  }
  // A caller does not learn whether somebody changes a notebook that the caller does not see.
  const isChange = operation === 'update' || operation === 'delete';
  if (isChange && !(await findRecord(deps, payload))) return confirmAbsent(call, deps);
  // A repeated create and the discard for its first job can be concurrent, so both take the lock.
  return notebookLock(deps)(payload.notebookId, call, () => runOnNotebook(payload, call, deps));
}

async function runOnNotebook(payload: NotebookPayload, call: BackendCall, deps: WorkerDeps) {
  const record = await findRecord(deps, payload);
  if (payload.operation === 'create') return createNotebook(payload, record, call, deps);
  if (payload.operation === 'discard') return discardNotebook(payload.notebookId, record, call, deps);
  if (!record) return confirmAbsent(call, deps);
  if (payload.operation === 'read') return readNotebook(record, call, deps);
  if (payload.operation === 'update') return updateNotebook(record, payload.changes, call, deps);
  return removeNotebook(record, call, deps);
}

async function createNotebook(
  { notebookId, title, description, createdBy, createdAt }: NotebookCallsPayload & { operation: 'create' },
  record: Notebook | null,
  call: BackendCall,
  { notebookBackend, models }: WorkerDeps,
): Promise<NotebookCallsResult> {
  if (record) return { outcome: 'notebook', notebook: toNotebookFields(record) };
  const backendRef = await notebookBackend.create({ id: notebookId, title, description, createdAt }, call);
  const created: Notebook = {
    _id: notebookId,
    backendRef,
    title,
    titleKey: titleKeyOf(title),
    description,
    createdBy: createdBy ?? null,
    createdAt: new Date(createdAt),
    updatedAt: new Date(createdAt),
  };
  await insertOnce(models.notebook, created);
  return { outcome: 'notebook', notebook: toNotebookFields(created) };
}

async function readNotebook(record: Notebook, call: BackendCall, deps: WorkerDeps): Promise<NotebookCallsResult> {
  const stored = await ignoreAbsent(deps.notebookBackend.read(toReference(record), call));
  if (!stored) return { outcome: 'absent' };
  await recordRef(record, stored.ref, deps);
  return { outcome: 'notebook', notebook: toNotebookFields(record, stored) };
}

async function updateNotebook(
  record: Notebook,
  changes: NotebookChanges,
  call: BackendCall,
  { notebookBackend: backend, models }: WorkerDeps,
): Promise<NotebookCallsResult> {
  // The time is later than that of the previous change, even within the same millisecond.
  const updatedAt = new Date(Math.max(Date.now(), record.updatedAt.getTime() + 1));
  const change = backend.update(toReference(record), changes, updatedAt.toISOString(), call);
  const stored = await ignoreAbsent(change);
  if (!stored) return { outcome: 'absent' };
  const updated = await models.notebook
    .findOneAndUpdate(
      { _id: record._id },
      {
        $set: {
          ...changes,
          ...(changes.title === undefined ? {} : { titleKey: titleKeyOf(changes.title) }),
          backendRef: stored.ref,
          updatedAt,
        },
      },
      { returnDocument: 'after' },
    )
    .lean();
  return updated ? { outcome: 'notebook', notebook: toNotebookFields(updated, stored) } : { outcome: 'absent' };
}

async function removeNotebook(record: Notebook, call: BackendCall, deps: WorkerDeps): Promise<NotebookCallsResult> {
  let existed = true;
  try {
    await deps.notebookBackend.remove(toReference(record), call);
  } catch (error) {
    if (!(error instanceof NotebookAbsent)) throw error;
    // An earlier attempt of this job can have removed the notebook without a response.
    existed = call.repeated;
  }
  await deleteDocument(deps.models.notebook, { _id: record._id });
  return { outcome: existed ? 'deleted' : 'absent' };
}

async function discardNotebook(
  notebookId: string,
  record: Notebook | null,
  call: BackendCall,
  { notebookBackend }: WorkerDeps,
): Promise<NotebookCallsResult> {
  await notebookBackend.discard(notebookId, record?.backendRef, call);
  return { outcome: record ? 'absent' : 'deleted' };
}

/**
 * Confirms that a notebook without a record is absent. While the backend is unavailable, the ping
 * fails, so that every call reports the outage.
 */
async function confirmAbsent(call: BackendCall, { notebookBackend }: WorkerDeps): Promise<NotebookCallsResult> {
  await notebookBackend.ping(call);
  return { outcome: 'absent' };
}

/**
 * The notebooks of the backend that have a record. The backend pages the list if it can; otherwise
 * our records are paged.
 */
async function listNotebooks(
  page: NotebookPageQuery,
  visibleTo: NotebookOwners['visibleTo'],
  call: BackendCall,
  deps: WorkerDeps,
): Promise<NotebookCallsResult> {
  const { notebookBackend: backend, models } = deps;
  // Pages of a backend have notebooks of all owners.
  if (visibleTo && backend.pagesLists) return listByRecords(page, visibleTo, call, deps);
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
  deps: WorkerDeps,
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
  { notebookBackend, models }: WorkerDeps,
): Promise<NotebookCallsResult> {
  const { records, total } = await findPage(models, visibleRecords(visibleTo), page);
  const items: NotebookFields[] = [];
  for (let start = 0; start < records.length; start += readsAtOnce) {
    const reads = records.slice(start, start + readsAtOnce).map(async (record) => {
      const stored = await ignoreAbsent(notebookBackend.read(toReference(record), call));
      return stored ? [toNotebookFields(record, stored)] : [];
    });
    items.push(...(await Promise.all(reads)).flat());
  }
  // Like other lists, an empty one requires a backend that responds.
  if (records.length === 0) await notebookBackend.ping(call);
  return { outcome: 'page', items, total };
}

async function findPage(models: WorkerDeps['models'], filter: QueryFilter<Notebook>, page: NotebookPageQuery) {
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

/**
 * Reads a record through the driver, because Mongoose takes longer to build the query than the
 * database to respond.
 */
const findRecord = (
  { models }: Pick<WorkerDeps, 'models'>,
  { notebookId, visibleTo }: { notebookId: string } & NotebookOwners,
): Promise<Notebook | null> =>
  models.notebook.collection.findOne<Notebook>({ _id: notebookId as never, ...visibleRecords(visibleTo) });

const toReference = ({ _id: id, backendRef: ref, title, createdAt }: Notebook): NotebookReference => ({
  id,
  ref,
  title,
  createdAt,
});

/**
 * Stores the backend's id of a notebook if it has changed, unless a concurrent call has stored
 * another one.
 */
async function recordRef({ _id, backendRef }: Notebook, ref: string, { models }: WorkerDeps): Promise<void> {
  if (ref !== backendRef) await models.notebook.updateOne({ _id, backendRef }, { $set: { backendRef: ref } });
}

/** `null` also matches records from before notebooks had owners. */
const visibleRecords = (visibleTo: NotebookOwners['visibleTo']) =>
  visibleTo === undefined ? {} : { createdBy: { $in: [...visibleTo] } };

/**
 * The fields of a notebook: id and times of our record, the others of the backend or, if it does
 * not store them, of our record.
 */
function toNotebookFields(record: Notebook, stored: Partial<BackendNotebook> = {}): NotebookFields {
  const { title = record.title, description = record.description } = stored;
  return {
    id: record._id,
    title,
    // Some backends do not distinguish an empty description from none.
    description: (description ?? '') === (record.description ?? '') ? record.description : description,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
