import type { NotebookChanges, NotebookPageQuery } from '../../shared/queues/notebook-calls.queue.ts';

/** What a backend can do; what it can not is done by our own record alone. */
export interface BackendAbilities {
  readonly updateTitle: boolean;
  readonly updateDescription: boolean;
  readonly storesDescription: boolean;
  /** Lists page by page, sorted. Without it a list is the whole of what the backend has, in any order. */
  readonly pagedList: boolean;
}

/** One attempt: who asked, and until when an answer is of use. */
export interface BackendCall {
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Another attempt may have done the work already, and may not have heard of it. */
  readonly repeated: boolean;
}

export interface NewNotebook {
  id: string;
  title: string;
  description: string | null;
  createdAt: string;
}

/** Names a notebook to the backend: our id, and what the backend itself has called it. */
export interface NotebookName {
  id: string;
  ref: string;
}

/** A notebook as the backend has it. Where it stores no title or description, or has not told them, they are absent. */
export interface BackendNotebook {
  ref: string;
  title?: string;
  description?: string | null;
}

export interface BackendPage {
  items: BackendNotebook[];
  /** How many there are in all pages; absent where the list is the whole. */
  total?: number;
}

/**
 * An external notebook backend. Every method makes one attempt and may be repeated; none retries by itself.
 * Failures are UpstreamErrors; a notebook that the backend does not have is a NotebookAbsent.
 */
export interface NotebookBackend {
  readonly abilities: BackendAbilities;
  /** What the backend calls a notebook of ours, where that follows from our id: it can be read before our record is. */
  readonly refOf?: (id: string) => string;
  /** @returns what the backend calls the notebook. */
  create(notebook: NewNotebook, call: BackendCall): Promise<string>;
  read(name: NotebookName, call: BackendCall): Promise<BackendNotebook>;
  update(name: NotebookName, changes: NotebookChanges, updatedAt: string, call: BackendCall): Promise<BackendNotebook>;
  remove(name: NotebookName, call: BackendCall): Promise<void>;
  /** Removes what an unfinished create may have left, found by our id; nothing when there is nothing. */
  discard(id: string, call: BackendCall): Promise<void>;
  list(page: NotebookPageQuery, call: BackendCall): Promise<BackendPage>;
  /** Succeeds when the backend answers. */
  ping(call: BackendCall): Promise<void>;
}
