import type { NotebookChanges, NotebookPageQuery } from '../../../shared/notebooks/notebook-calls.queue.ts';

/** One attempt at an operation. */
export interface BackendCall {
  readonly requestId: string;
  /** Aborts at the end of the time for the attempt. */
  readonly signal: AbortSignal;
  /** True if an earlier attempt can have succeeded without a response. */
  readonly repeated: boolean;
}

interface NewNotebook {
  id: string;
  title: string;
  description: string | null;
  createdAt: string;
}

/** Identifies a notebook. */
export interface NotebookReference {
  /** The service's id. */
  id: string;
  /** The backend's own id. */
  ref: string;
  /** The title in the service's record: before an update, the old one. */
  title: string;
  createdAt: Date;
}

/**
 * A notebook as the backend stores it. A field that it did not send is absent.
 */
export interface BackendNotebook {
  /** It differs from that of the reference if the backend's id of the notebook has changed. */
  ref: string;
  title?: string;
  description?: string | null;
}

/**
 * An external notebook backend. Every method makes one attempt and is safe to repeat. A method
 * rejects with NotebookAbsent for a notebook that the backend does not have, and with UpstreamError
 * for any other failure.
 */
export interface NotebookBackend {
  /**
   * True if the backend sorts and pages lists. Otherwise a list has all its notebooks, in any order.
   */
  readonly pagesLists: boolean;
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
  /**
   * Removes what attempts at a create have left under the service's id, except the notebook
   * `keptRef`. It is undefined if the create was abandoned.
   */
  discard(id: string, keptRef: string | undefined, call: BackendCall): Promise<void>;
  /** `total` is the number of notebooks in all pages, if lists are paged. */
  list(page: NotebookPageQuery, call: BackendCall): Promise<{ items: BackendNotebook[]; total?: number }>;
  /**
   * Finds notebooks that were not listed, if the backend's ids of notebooks can change.
   * @returns the backend's ids by those of the service.
   */
  locate?(notebooks: readonly NotebookReference[], call: BackendCall): Promise<Map<string, string>>;
  ping(call: BackendCall): Promise<void>;
  /** Checks, without a change, that a backend that responds also accepts changes. */
  checkWrites?(call: BackendCall): Promise<void>;
}
