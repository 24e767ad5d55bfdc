import type { FolderEntry, JupyterContents } from './jupyter-contents.ts';
import type { BackendCall } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';

const mebibyte = 1024 * 1024;
/** Limits of one search. It begins in the nearest folders, with the newest files. */
const limits = { depth: 8, folders: 100, files: 500, bytes: 64 * mebibyte };
/** Files whose ids are remembered. */
const maxRemembered = 10_000;
/**
 * A file that could not be read this often, while the server responded to other requests, counts as
 * no notebook of ours.
 */
const maxFailures = 2;

interface Remembered {
  lastModified: string;
  id: string | undefined;
  failures: number;
}

interface SearchOptions {
  ids: ReadonlySet<string>;
  /** Folders to begin with. The root follows. */
  near: readonly string[];
  /** Files that were last changed before are not read. Epoch milliseconds. */
  notBefore?: number;
}

/** Finds notebooks by the id in their metadata. @returns the path of each id that was found. */
export type NotebookSearch = (options: SearchOptions, call: BackendCall) => Promise<Map<string, string>>;

/**
 * Searches the folders of a server, one search at a time. The id of a file is read once for each
 * time that the file was changed, so a repeated search costs little more than the lists of the
 * folders, and continues one that had no time left.
 * @param readId reads the id in the metadata of a notebook, if it has one.
 */
export function createNotebookSearch(
  contents: Pick<JupyterContents, 'listFolder'>,
  readId: (path: string, call: BackendCall) => Promise<string | undefined>,
): NotebookSearch {
  const remembered = new RememberedFiles();
  const idOf = (entry: FolderEntry, call: BackendCall) => remembered.idOf(entry, call, readId);
  let previous: Promise<unknown> = Promise.resolve();

  const search = async (
    { ids, near, notBefore = 0 }: SearchOptions,
    call: BackendCall,
    onResponse: () => void,
  ): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    const left = { files: limits.files, bytes: limits.bytes };
    const readOrRecall = async (entry: FolderEntry) => {
      const known = remembered.recall(entry);
      if (known && (known.failures === 0 || known.failures >= maxFailures)) return known.id;
      const size = entry.size ?? 0;
      if (Date.parse(entry.last_modified) < notBefore || left.files === 0 || size > left.bytes) return undefined;
      left.files -= 1;
      left.bytes -= size;
      return idOf(entry, call);
    };
    // The set grows while it is read.
    const folders = new Set([...near, '']);
    for (const folder of folders) {
      const entries = (await listOrSkip(contents, folder, call)).filter(({ name }) => !name.startsWith('.'));
      onResponse();
      for (const entry of entries.filter(({ type }) => type === 'notebook').sort(byTimeDescending)) {
        const id = await readOrRecall(entry);
        if (id === undefined || !ids.has(id) || found.has(id)) continue;
        found.set(id, entry.path);
        if (found.size === ids.size) return found;
      }
      for (const { type, path } of entries) {
        const isWithinLimits = folders.size < limits.folders && path.split('/').length <= limits.depth;
        if (type === 'directory' && isWithinLimits) folders.add(path);
      }
    }
    return found;
  };

  return async (options, call) => {
    let isHung = false;
    const turn = previous.then(() => {
      isHung = !call.signal.aborted;
      return search(options, call, () => {
        isHung = false;
      });
    });
    previous = turn.catch(() => {});
    try {
      return await turn;
    } catch (error) {
      // A search that takes long is not an outage, but a server that responds to none of its
      // requests is.
      if (!call.signal.aborted || isHung) throw error;
      throw new UpstreamError({ reason: 'the search for the notebook took too long', retryable: true, cause: error });
    }
  };
}

/** The entries of a folder; none if it does not exist or must not be listed. */
async function listOrSkip(
  contents: Pick<JupyterContents, 'listFolder'>,
  folder: string,
  call: BackendCall,
): Promise<FolderEntry[]> {
  try {
    return await contents.listFolder(folder, call);
  } catch (error) {
    const isAbsent = error instanceof NotebookAbsent;
    if (isAbsent || (error instanceof UpstreamError && !error.retryable && folder !== '')) return [];
    throw error;
  }
}

/** The ids in the files that were read, as long as these do not change. */
class RememberedFiles {
  readonly #files = new Map<string, Remembered>();

  /** The file as it is now; undefined if that was not read. */
  recall({ path, last_modified: lastModified }: FolderEntry): Remembered | undefined {
    const known = this.#files.get(path);
    return known?.lastModified === lastModified ? known : undefined;
  }

  /** Reads the id in a file, and remembers it, or that it could not be read. */
  async idOf(
    entry: FolderEntry,
    call: BackendCall,
    readId: (path: string, call: BackendCall) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    try {
      return this.#remember(entry, await readId(entry.path, call));
    } catch (error) {
      if (error instanceof NotebookAbsent) return undefined;
      if (!(error instanceof UpstreamError) || call.signal.aborted) throw error;
      if (!error.retryable) return this.#remember(entry, undefined);
      this.#remember(entry, undefined, (this.recall(entry)?.failures ?? 0) + 1);
      throw error;
    }
  }

  #remember({ path, last_modified: lastModified }: FolderEntry, id: string | undefined, failures = 0) {
    const files = this.#files;
    files.delete(path);
    files.set(path, { lastModified, id, failures });
    const [oldest] = files.keys();
    if (files.size > maxRemembered && oldest !== undefined) files.delete(oldest);
    return id;
  }
}

const byTimeDescending = (one: FolderEntry, other: FolderEntry) =>
  one.last_modified < other.last_modified ? 1 : one.last_modified > other.last_modified ? -1 : 0;
