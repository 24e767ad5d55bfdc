import type { Notebook } from '../../shared/notebooks/notebook.model.ts';
import type { NotebookFields, NotebookOwners } from '../../shared/notebooks/notebook-calls.queue.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { BackendNotebook, NotebookReference } from './backends/notebook-backend.ts';

type Deps = Pick<WorkerDeps, 'models'>;

/**
 * Reads a record through the driver, because Mongoose takes longer to build the query than the
 * database to respond.
 */
export const findRecord = (
  { models }: Deps,
  { notebookId, visibleTo }: { notebookId: string } & NotebookOwners,
): Promise<Notebook | null> =>
  models.notebook.collection.findOne<Notebook>({ _id: notebookId as never, ...visibleRecords(visibleTo) });

export const toReference = ({ _id: id, backendRef: ref, title, createdAt }: Notebook): NotebookReference => ({
  id,
  ref,
  title,
  createdAt,
});

/**
 * Stores the backend's id of a notebook if it has changed, unless a concurrent call has stored
 * another one.
 */
export async function recordRef({ _id, backendRef }: Notebook, ref: string, { models }: Deps): Promise<void> {
  if (ref !== backendRef) await models.notebook.updateOne({ _id, backendRef }, { $set: { backendRef: ref } });
}

/** `null` also matches records from before notebooks had owners. */
export const visibleRecords = (visibleTo: NotebookOwners['visibleTo']) =>
  visibleTo === undefined ? {} : { createdBy: { $in: [...visibleTo] } };

/**
 * The fields of a notebook: id and times of our record, the others of the backend or, if it does
 * not store them, of our record.
 */
export function toNotebookFields(record: Notebook, stored: Partial<BackendNotebook> = {}): NotebookFields {
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
