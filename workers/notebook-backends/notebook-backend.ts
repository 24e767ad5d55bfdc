import type { NotebookChanges, NotebookPageQuery } from '../../shared/queues/notebook-calls.queue.ts';

/** What a backend supports. Our own record stores the rest. */
export interface BackendCapabilities {
  readonly updateTitle: boolean;
  readonly updateDescription: boolean;
  readonly storesDescription: boolean;
  /** Lists are sorted and paged. Otherwise a list has all notebooks of the backend in any order. */
  readonly pagedList: boolean;
}

/** One attempt at an operation. */
export interface BackendCall {
  readonly requestId: string;
  /** Aborts when the time of the attempt is over. */
  readonly signal: AbortSignal;
  /** An earlier attempt may have succeeded without an answer. */
  readonly repeated: boolean;
}

export interface NewNotebook {
  id: string;
  title: string;
  description: string | null;
  createdAt: string;
}

/** Identifies a notebook. */
export interface NotebookReference {
  /** Our id. */
  id: string;
  /** The backend's own id. */
  ref: string;
}

/** A notebook as the backend stores it. A field that it does not store, or did not send, is absent. */
export interface BackendNotebook {
  ref: string;
  title?: string;
  description?: string | null;
}

export interface BackendPage {
  items: BackendNotebook[];
  /** Number of notebooks in all pages; absent if the list is not paged. */
  total?: number;
}

/**
 * An external notebook backend. Every method makes one attempt and is safe to repeat. It rejects with NotebookAbsent
 * for a notebook that the backend does not have, and with UpstreamError for any other failure.
 */
export interface NotebookBackend {
  readonly capabilities: BackendCapabilities;
  /**
   * The backend's id of a notebook, if it follows from ours. The notebook and our record are then read concurrently.
   */
  readonly deriveRef?: (id: string) => string;
  /** @returns the backend's id of the notebook. */
  create(notebook: NewNotebook, call: BackendCall): Promise<string>;
  read(notebook: NotebookReference, call: BackendCall): Promise<BackendNotebook>;
  update(
    notebook: NotebookReference,
    changes: NotebookChanges,
    updatedAt: string,
    call: BackendCall,
  ): Promise<BackendNotebook>;
  remove(notebook: NotebookReference, call: BackendCall): Promise<void>;
  /** Removes the notebook with our id that an abandoned create may have left, if there is one. */
  discard(id: string, call: BackendCall): Promise<void>;
  list(page: NotebookPageQuery, call: BackendCall): Promise<BackendPage>;
  /** Resolves if the backend answers. */
  ping(call: BackendCall): Promise<void>;
}
