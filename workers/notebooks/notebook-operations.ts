import { deleteDocument, isDuplicateKey } from '../../shared/connections/mongo.ts';
import { type Notebook, titleKeyOf } from '../../shared/notebooks/notebook.model.ts';
import type {
  NotebookCallsPayload,
  NotebookCallsResult,
  NotebookChanges,
} from '../../shared/notebooks/notebook-calls.queue.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { BackendCall, BackendNotebook } from './backends/notebook-backend.ts';
import { NotebookAbsent } from './backends/upstream-error.ts';
import { listNotebooks } from './list-notebooks.ts';
import { lockSettings, withNotebookLock } from './notebook-lock.ts';
import { findRecord, recordRef, toNotebookFields, toReference } from './notebook-records.ts';

// The operations on notebooks. Each operation calls the backend first and changes the service's
// record last, so that every record belongs to a notebook that was created at the backend.

export type NotebookDeps = Pick<WorkerDeps, 'notebookBackend' | 'models' | 'redis' | 'config'>;
type Deps = NotebookDeps;

/** Makes one attempt at an operation. `recordRead` is the pending read of the service's record. */
export async function runOperation(
  payload: NotebookCallsPayload,
  recordRead: Promise<Notebook | null>,
  call: BackendCall,
  deps: Deps,
): Promise<NotebookCallsResult> {
  if (payload.operation === 'list') return listNotebooks(payload.page, payload.visibleTo, call, deps);
  if (payload.operation === 'read') return readNotebook(payload.notebookId, recordRead, call, deps);
  const record = await recordRead;
  const { operation, notebookId } = payload;
  if (operation === 'create' && !payload.attemptedBefore) return createNotebook(payload, record, call, deps);
  if (!record && (operation === 'update' || operation === 'delete')) return confirmAbsent(call, deps);
  const lock = { ...lockSettings(deps), lockedId: notebookId, signal: call.signal };
  return withNotebookLock(lock, async () => {
    // The previous holder of the lock can have changed the record.
    const current = await findRecord(deps, payload);
    // A repeated create and the discard for its first job can run concurrently, so both take the
    // lock.
    if (operation === 'create') return createNotebook(payload, current, call, deps);
    if (operation === 'discard') return discardNotebook(notebookId, current, call, deps);
    if (!current) return confirmAbsent(call, deps);
    return operation === 'update'
      ? updateNotebook(current, payload.changes, call, deps)
      : removeNotebook(current, call, deps);
  });
}

async function createNotebook(
  { notebookId, title, description, createdBy, createdAt }: NotebookCallsPayload & { operation: 'create' },
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
    createdBy: createdBy ?? null,
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
    if (backend.readById) {
      const [record, stored] = await Promise.all([recordRead, backend.readById(id, call)]);
      return record ? { outcome: 'notebook', notebook: toNotebookFields(record, stored) } : { outcome: 'absent' };
    }
    const record = await recordRead;
    if (!record) return await confirmAbsent(call, deps);
    const stored = await backend.read(toReference(record), call);
    await recordRef(record, stored.ref, deps);
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
  const reference = toReference(record);
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
      {
        $set: {
          ...changes,
          ...(title === undefined ? {} : { titleKey: titleKeyOf(title) }),
          backendRef: stored.ref,
          updatedAt,
        },
      },
      { returnDocument: 'after' },
    )
    .lean();
  return updated ? { outcome: 'notebook', notebook: toNotebookFields(updated, stored) } : { outcome: 'absent' };
}

async function removeNotebook(record: Notebook, call: BackendCall, deps: Deps): Promise<NotebookCallsResult> {
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
  { notebookBackend }: Deps,
): Promise<NotebookCallsResult> {
  await notebookBackend.discard(notebookId, record?.backendRef, call);
  return { outcome: record ? 'absent' : 'deleted' };
}

/**
 * Confirms that a notebook without a record is absent. While the backend is unavailable, the ping
 * fails, so that every call reports the outage.
 */
async function confirmAbsent(call: BackendCall, { notebookBackend }: Deps): Promise<NotebookCallsResult> {
  await notebookBackend.ping(call);
  return { outcome: 'absent' };
}
