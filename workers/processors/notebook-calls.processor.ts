import { randomUUID } from 'node:crypto';
import { day, minute, second } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { type Notebook, titleKeyOf } from '../../shared/models/notebook.model.ts';
import { isDuplicateKey, isMongoAway, mongoPatience } from '../../shared/mongo.ts';
import { PermanentFailure, RetryableFailure } from '../../shared/queues/job-failure.ts';
import {
  discardJobId,
  type NotebookCallsPayload,
  type NotebookCallsResult,
  type NotebookChanges,
  type NotebookFields,
  type NotebookPageQuery,
} from '../../shared/queues/notebook-calls.queue.ts';
import { longestPause } from '../jittered-pause.ts';
import type { BackendCall, BackendNotebook } from '../notebook-backends/notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from '../notebook-backends/upstream-error.ts';
import { withNotebookLock } from '../notebook-lock.ts';
import type { Attempt, ProcessorDeps } from '../run-processor.ts';

/**
 * One attempt at a call of the notebook backend, and our record of what came of it. The backend comes first and the
 * record last, so that a record always stands for a notebook that the backend has had.
 */
export async function notebookCalls(
  payload: NotebookCallsPayload,
  deps: ProcessorDeps,
  attempt: Attempt,
): Promise<NotebookCallsResult> {
  const { notebookBreaker: breaker, config } = deps;
  const left = payload.deadlineAt - Date.now();
  if (left <= 0) throw new PermanentFailure(upstreamFailed('it gave no answer in time'));
  const call: BackendCall = {
    requestId: payload.requestId,
    // An attempt that hangs leaves time for another.
    signal: AbortSignal.timeout(Math.min(left, config.notebooks.deadlineMs / 2)),
    repeated: !attempt.first,
  };
  const finding = 'notebookId' in payload ? findRecord(deps, payload.notebookId) : Promise.resolve(null);
  // Awaited later, or not at all; until then a failure of it must not count as unhandled.
  finding.catch(() => {});
  const before = await breaker.state();
  try {
    if (before.open) throw new UpstreamError({ reason: before.reason, retryable: false });
    const result = await carryOut(payload, finding, call, deps);
    if (before.failures > 0) await breaker.succeeded();
    return result;
  } catch (error) {
    const failure = before.open ? error : await reported(error, before.failures, deps);
    throw await verdict(failure, payload, deps, attempt);
  }
}

type Deps = ProcessorDeps;

/** By the driver: Mongoose needs longer for the query than the database does. */
const findRecord = ({ models }: Deps, id: string): Promise<Notebook | null> =>
  models.notebook.collection.findOne<Notebook>({ _id: id as never });

async function carryOut(
  payload: NotebookCallsPayload,
  finding: Promise<Notebook | null>,
  call: BackendCall,
  deps: Deps,
): Promise<NotebookCallsResult> {
  if (payload.operation === 'list') return listNotebooks(payload.page, call, deps);
  if (payload.operation === 'read') return readNotebook(payload.notebookId, finding, call, deps);
  const record = await finding;
  if (payload.operation === 'create') return createNotebook(payload, record, call, deps);
  if (payload.operation === 'discard') return discardNotebook(payload.notebookId, record, call, deps);
  if (!record) return absent(call, deps);
  const { redis, config } = deps;
  const lock = {
    redis,
    prefix: config.redisPrefix,
    notebookId: record._id,
    signal: call.signal,
    holdMs: config.notebooks.deadlineMs + second,
  };
  return withNotebookLock(lock, async () => {
    // Whoever held the lock before may have changed it.
    const current = await findRecord(deps, record._id);
    if (!current) return absent(call, deps);
    return payload.operation === 'update'
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

/** Tells the breaker how the call ended. @returns the failure; one that has opened the circuit is not worth a retry. */
async function reported(error: unknown, failuresBefore: number, { notebookBreaker, log }: Deps): Promise<unknown> {
  if (!(error instanceof UpstreamError)) return error;
  if (error.misconfigured) log.error('the notebook backend refuses our access', { reason: error.message });
  if (!error.outage) {
    if (failuresBefore > 0) await notebookBreaker.succeeded();
    return error;
  }
  const open = await notebookBreaker.failed(error.message);
  return open ? new UpstreamError({ reason: error.message, retryable: false, cause: error }) : error;
}

/** Is there another attempt, by the queue's backoff, or is it over? */
async function verdict(error: unknown, payload: NotebookCallsPayload, deps: Deps, attempt: Attempt): Promise<unknown> {
  const judged = judge(error);
  // Neither the backend's fault nor the database's: the queue's own rules apply.
  if (!judged) return error;
  const { failure, retryable, retryAfterMs, lasts } = judged;
  if (payload.operation === 'discard') return new RetryableFailure(failure, error, 1 * minute);
  const nextEnds = Date.now() + longestPause(attempt.number, retryAfterMs) + lasts;
  if (retryable && nextEnds < payload.deadlineAt) return new RetryableFailure(failure, error, retryAfterMs);
  if (payload.operation === 'create') await discardLater(payload, deps);
  return new PermanentFailure(failure);
}

/** What the caller is told, and whether and when another attempt makes sense, which lasts so long at least. */
function judge(error: unknown) {
  if (error instanceof UpstreamError) {
    const { message, retryable, retryAfterMs } = error;
    return { failure: upstreamFailed(message), retryable, retryAfterMs, lasts: 0 };
  }
  if (!isMongoAway(error)) return undefined;
  const failure = unavailable('The database is not reachable at the moment.', 2, error);
  return { failure, retryable: true, retryAfterMs: 0, lasts: mongoPatience };
}

/** A create that is given up may have been carried out: once the requests under way have ended, it is looked for. */
async function discardLater({ notebookId }: { notebookId: string }, { queues }: Deps): Promise<void> {
  await queues['notebook-calls'].add(
    { operation: 'discard', notebookId, requestId: randomUUID(), deadlineAt: Date.now() + day },
    { jobId: discardJobId(notebookId), delay: minute / 2 },
  );
}

function upstreamFailed(reason: string): AppError {
  return new AppError('UPSTREAM_ERROR', `The notebook backend failed: ${reason}`);
}
