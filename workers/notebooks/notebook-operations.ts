import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { second } from '../../shared/durations.ts';
import { type Notebook, titleKeyOf } from '../../shared/models/notebook.model.ts';
import type {
  NotebookCallsPayload,
  NotebookCallsResult,
  NotebookChanges,
  NotebookFields,
  NotebookPageQuery,
} from '../../shared/queues/notebook-calls.queue.ts';
import type { BackendCall, BackendNotebook } from '../notebook-backends/notebook-backend.ts';
import { NotebookAbsent } from '../notebook-backends/upstream-error.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { withNotebookLock } from './notebook-lock.ts';

// The operations on notebooks. Each operation calls the backend first and changes the service's record last, so that
// every record belongs to a notebook that was created at the backend. The operations are in one file because they share
// two functions: one presents a notebook, the other one confirms that a notebook is absent.

export type NotebookDeps = Pick<WorkerDeps, 'notebookBackend' | 'models' | 'redis' | 'config'>;
type Deps = NotebookDeps;

/**
 * Reads a record through the driver, because Mongoose takes longer to build the query than the database to answer it.
 */
export const findRecord = ({ models }: Deps, id: string): Promise<Notebook | null> =>
  models.notebook.collection.findOne<Notebook>({ _id: id as never });

/** Makes one attempt at an operation. `recordRead` is the pending read of the service's record. */
export async function runOperation(
  payload: NotebookCallsPayload,
  recordRead: Promise<Notebook | null>,
  call: BackendCall,
  deps: Deps,
): Promise<NotebookCallsResult> {
  if (payload.operation === 'list') return listNotebooks(payload.page, call, deps);
  if (payload.operation === 'read') return readNotebook(payload.notebookId, recordRead, call, deps);
  const record = await recordRead;
  const { operation, notebookId } = payload;
  if (operation === 'create' && !payload.attemptedBefore) return createNotebook(payload, record, call, deps);
  if (!record && (operation === 'update' || operation === 'delete')) return confirmAbsent(call, deps);
  const { redis, config } = deps;
  const lock = {
    redis,
    prefix: config.redisPrefix,
    notebookId,
    signal: call.signal,
    expiryMs: config.notebooks.deadlineMs + second,
  };
  return withNotebookLock(lock, async () => {
    // The previous holder of the lock can have changed the record.
    const current = await findRecord(deps, notebookId);
    // A repeated create and the discard of its first job can run concurrently, so both take the lock.
    if (operation === 'create') return createNotebook(payload, current, call, deps);
    if (operation === 'discard') return discardNotebook(notebookId, current, call, deps);
    if (!current) return confirmAbsent(call, deps);
    return operation === 'update'
      ? updateNotebook(current, payload.changes, call, deps)
      : removeNotebook(current, call, deps);
  });
}

async function createNotebook(
  { notebookId, title, description, createdAt }: NotebookCallsPayload & { operation: 'create' },
  record: Notebook | null,
  call: BackendCall,
  { notebookBackend, models }: Deps,
): Promise<NotebookCallsResult> {
  if (record) return { outcome: 'notebook', notebook: toNotebookFields(record) };
  const backendRef = await notebookBackend.create({ id: notebookId, title, description, createdAt }, call);
  const created: Notebook = {
    _id: notebookId,
    backendRef,
    title,
    titleKey: titleKeyOf(title),
    description,
    createdAt: new Date(createdAt),
    updatedAt: new Date(createdAt),
  };
  try {
    await models.notebook.create(created);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  return { outcome: 'notebook', notebook: toNotebookFields(created) };
}

async function readNotebook(
  id: string,
  recordRead: Promise<Notebook | null>,
  call: BackendCall,
  deps: Deps,
): Promise<NotebookCallsResult> {
  const { notebookBackend: backend } = deps;
  try {
    if (backend.deriveRef) {
      const [record, stored] = await Promise.all([recordRead, backend.read({ id, ref: backend.deriveRef(id) }, call)]);
      return record ? { outcome: 'notebook', notebook: toNotebookFields(record, stored) } : { outcome: 'absent' };
    }
    const record = await recordRead;
    if (!record) return await confirmAbsent(call, deps);
    const stored = await backend.read({ id, ref: record.backendRef }, call);
    return { outcome: 'notebook', notebook: toNotebookFields(record, stored) };
  } catch (error) {
    if (error instanceof NotebookAbsent) return { outcome: 'absent' };
    throw error;
  }
}

async function updateNotebook(
  record: Notebook,
  changes: NotebookChanges,
  call: BackendCall,
  { notebookBackend: backend, models }: Deps,
): Promise<NotebookCallsResult> {
  // The time is later than that of the previous change, even within the same millisecond.
  const updatedAt = new Date(Math.max(Date.now(), record.updatedAt.getTime() + 1));
  const reference = { id: record._id, ref: record.backendRef };
  const { title, description } = changes;
  const backendChanges = {
    ...(title !== undefined && backend.capabilities.updateTitle ? { title } : {}),
    ...(description !== undefined && backend.capabilities.updateDescription ? { description } : {}),
  };
  let stored: BackendNotebook;
  try {
    stored =
      Object.keys(backendChanges).length > 0
        ? await backend.update(reference, backendChanges, updatedAt.toISOString(), call)
        : await backend.read(reference, call);
  } catch (error) {
    if (error instanceof NotebookAbsent) return { outcome: 'absent' };
    throw error;
  }
  const updated = await models.notebook
    .findOneAndUpdate(
      { _id: record._id },
      { $set: { ...changes, ...(title === undefined ? {} : { titleKey: titleKeyOf(title) }), updatedAt } },
      { returnDocument: 'after' },
    )
    .lean();
  return updated ? { outcome: 'notebook', notebook: toNotebookFields(updated, stored) } : { outcome: 'absent' };
}

async function removeNotebook(record: Notebook, call: BackendCall, deps: Deps): Promise<NotebookCallsResult> {
  let existed = true;
  try {
    await deps.notebookBackend.remove({ id: record._id, ref: record.backendRef }, call);
  } catch (error) {
    if (!(error instanceof NotebookAbsent)) throw error;
    // An earlier attempt of this job can have removed the notebook without an answer.
    existed = call.repeated;
  }
  await deps.models.notebook.deleteOne({ _id: record._id });
  return { outcome: existed ? 'deleted' : 'absent' };
}

async function discardNotebook(
  notebookId: string,
  record: Notebook | null,
  call: BackendCall,
  { notebookBackend }: Deps,
): Promise<NotebookCallsResult> {
  if (!record) await notebookBackend.discard(notebookId, call);
  return { outcome: record ? 'absent' : 'deleted' };
}

/**
 * Confirms that a notebook without a record is absent. While the backend is unavailable, the ping fails, so that every
 * call reports the outage.
 */
async function confirmAbsent(call: BackendCall, { notebookBackend }: Deps): Promise<NotebookCallsResult> {
  await notebookBackend.ping(call);
  return { outcome: 'absent' };
}

const sortKeys = { created_at: 'createdAt', updated_at: 'updatedAt', title: 'titleKey' } as const;

/**
 * Lists the notebooks of the backend that have a record. If the backend supports paging, it pages the list. Otherwise
 * the service's records are paged.
 */
async function listNotebooks(
  page: NotebookPageQuery,
  call: BackendCall,
  { notebookBackend: backend, models }: Deps,
): Promise<NotebookCallsResult> {
  const listed = await backend.list(page, call);
  const stored = new Map(listed.items.map((item) => [item.ref, item]));
  const known = { backendRef: { $in: [...stored.keys()] } };
  if (listed.total !== undefined) {
    const records = new Map((await models.notebook.find(known).lean()).map((record) => [record.backendRef, record]));
    const items = listed.items.flatMap((item) => {
      const record = records.get(item.ref);
      return record ? [toNotebookFields(record, item)] : [];
    });
    return { outcome: 'page', items, total: listed.total };
  }
  const [records, total] = await Promise.all([
    models.notebook
      .find(known)
      .sort({ [sortKeys[page.sort]]: page.order, _id: page.order })
      .skip(page.offset)
      .limit(page.limit)
      .lean(),
    models.notebook.countDocuments(known),
  ]);
  return {
    outcome: 'page',
    items: records.map((record) => toNotebookFields(record, stored.get(record.backendRef))),
    total,
  };
}

/**
 * Combines the fields of a notebook. Id and times are those of the service's record. The other fields are those of the
 * backend, or of the record if the backend does not store them.
 */
function toNotebookFields(record: Notebook, stored: Partial<BackendNotebook> = {}): NotebookFields {
  const { title = record.title, description = record.description } = stored;
  return {
    id: record._id,
    title,
    // Some backends do not distinguish an empty description from a missing one.
    description: (description ?? '') === (record.description ?? '') ? record.description : description,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
