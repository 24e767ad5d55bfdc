import { second } from '../../shared/durations.ts';
import { type Notebook, titleKeyOf } from '../../shared/models/notebook.model.ts';
import { isDuplicateKey } from '../../shared/mongo.ts';
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

/**
 * What each operation does at the backend and to our record. The backend comes first and the record last, so that a
 * record always stands for a notebook that the backend has had. One file, because the five share what is shown and when
 * a notebook counts as absent.
 */

export type NotebookDeps = Pick<WorkerDeps, 'notebookBackend' | 'models' | 'redis' | 'config'>;
type Deps = NotebookDeps;

/** By the driver: Mongoose needs longer for the query than the database does. */
export const findRecord = ({ models }: Deps, id: string): Promise<Notebook | null> =>
  models.notebook.collection.findOne<Notebook>({ _id: id as never });

/** One attempt at the operation. `finding` is our record, being read. */
export async function carryOut(
  payload: NotebookCallsPayload,
  finding: Promise<Notebook | null>,
  call: BackendCall,
  deps: Deps,
): Promise<NotebookCallsResult> {
  if (payload.operation === 'list') return listNotebooks(payload.page, call, deps);
  if (payload.operation === 'read') return readNotebook(payload.notebookId, finding, call, deps);
  const record = await finding;
  const { operation, notebookId } = payload;
  if (operation === 'create' && !payload.attemptedBefore) return createNotebook(payload, record, call, deps);
  if (!record && (operation === 'update' || operation === 'delete')) return absent(call, deps);
  const { redis, config } = deps;
  const lock = {
    redis,
    prefix: config.redisPrefix,
    notebookId,
    signal: call.signal,
    holdMs: config.notebooks.deadlineMs + second,
  };
  return withNotebookLock(lock, async () => {
    // Whoever held the lock before may have changed it.
    const current = await findRecord(deps, notebookId);
    // These two may meet: a create that is repeated, and the discard of what its first job left.
    if (operation === 'create') return createNotebook(payload, current, call, deps);
    if (operation === 'discard') return discardNotebook(notebookId, current, call, deps);
    if (!current) return absent(call, deps);
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
  if (record) return { outcome: 'notebook', notebook: shown(record) };
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
  return { outcome: 'notebook', notebook: shown(created) };
}

async function readNotebook(
  id: string,
  finding: Promise<Notebook | null>,
  call: BackendCall,
  deps: Deps,
): Promise<NotebookCallsResult> {
  const { notebookBackend: backend } = deps;
  try {
    if (backend.refOf) {
      // Both at once: a read waits for nothing that it can do without.
      const [record, stored] = await Promise.all([finding, backend.read({ id, ref: backend.refOf(id) }, call)]);
      return record ? { outcome: 'notebook', notebook: shown(record, stored) } : { outcome: 'absent' };
    }
    const record = await finding;
    if (!record) return await absent(call, deps);
    const stored = await backend.read({ id, ref: record.backendRef }, call);
    return { outcome: 'notebook', notebook: shown(record, stored) };
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
  // Later than before, also within one millisecond.
  const updatedAt = new Date(Math.max(Date.now(), record.updatedAt.getTime() + 1));
  const name = { id: record._id, ref: record.backendRef };
  const { title, description } = changes;
  const carried = {
    ...(title !== undefined && backend.abilities.updateTitle ? { title } : {}),
    ...(description !== undefined && backend.abilities.updateDescription ? { description } : {}),
  };
  let stored: BackendNotebook;
  try {
    stored =
      Object.keys(carried).length > 0
        ? await backend.update(name, carried, updatedAt.toISOString(), call)
        : await backend.read(name, call);
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
  return updated ? { outcome: 'notebook', notebook: shown(updated, stored) } : { outcome: 'absent' };
}

async function removeNotebook(record: Notebook, call: BackendCall, deps: Deps): Promise<NotebookCallsResult> {
  let present = true;
  try {
    await deps.notebookBackend.remove({ id: record._id, ref: record.backendRef }, call);
  } catch (error) {
    if (!(error instanceof NotebookAbsent)) throw error;
    // An earlier attempt of this very job may have removed it without hearing so.
    present = call.repeated;
  }
  await deps.models.notebook.deleteOne({ _id: record._id });
  return { outcome: present ? 'deleted' : 'absent' };
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

/** No record, so no notebook. The backend is asked all the same: while it is away, every call says so. */
async function absent(call: BackendCall, { notebookBackend }: Deps): Promise<NotebookCallsResult> {
  await notebookBackend.ping(call);
  return { outcome: 'absent' };
}

const sortKeys = { created_at: 'createdAt', updated_at: 'updatedAt', title: 'titleKey' } as const;

/** What the backend lists and we have a record of: paged there where it can, by our records where it can not. */
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
      return record ? [shown(record, item)] : [];
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
  return { outcome: 'page', items: records.map((record) => shown(record, stored.get(record.backendRef))), total };
}

/** What the backend stores, with our id and our times; what it does not store, from our record. */
function shown(record: Notebook, stored: Partial<BackendNotebook> = {}): NotebookFields {
  const { title = record.title, description = record.description } = stored;
  return {
    id: record._id,
    title,
    // Some backends can not tell an empty description from none.
    description: (description ?? '') === (record.description ?? '') ? record.description : description,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
