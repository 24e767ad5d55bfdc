import { createSemaphore } from '../../../shared/process/semaphore.ts';
import { type FolderEntry, type JupyterContents, unlessPermanentFailure } from './jupyter-contents.ts';
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

const nothing: Remembered = { lastModified: '', id: undefined, failures: 0 };

interface SearchOptions {
  ids: ReadonlySet<string>;
  /** Folders to begin with. The root follows. */
  near: readonly string[];
  /** Files that were last changed before are not read. Epoch milliseconds. */
  notBefore?: number;
}

export type NotebookSearch = ReturnType<typeof createNotebookSearch>;

/**
 * Creates a function that finds notebooks by the id in their metadata, one search at a time, and
 * returns the path of each id that was found. The id of a file is read once for each change of the
 * file. So a repeated search costs little more than the lists of the folders, and continues one
 * that had no time left.
 * @param readId reads the id in the metadata of a notebook, if it has one.
 */
export function createNotebookSearch(
  { listFolder }: Pick<JupyterContents, 'listFolder'>,
  readId: (path: string, call: BackendCall) => Promise<string | undefined>,
) {
  const inTurn = createSemaphore(1);
  const remembered = new Map<string, Remembered>();

  const remember = ({ path, last_modified: lastModified }: FolderEntry, id: string | undefined, failures = 0) => {
    remembered.delete(path);
    remembered.set(path, { lastModified, id, failures });
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    return id;
  };

  /** Reads the id in a file, and remembers it, or that it could not be read. */
  const idOf = async (entry: FolderEntry, failuresBefore: number, call: BackendCall): Promise<string | undefined> => {
    try {
      return remember(entry, await readId(entry.path, call));
    } catch (error) {
      if (error instanceof NotebookAbsent) return undefined;
      if (!(error instanceof UpstreamError) || call.signal.aborted) throw error;
      if (!error.retryable) return remember(entry, undefined);
      remember(entry, undefined, failuresBefore + 1);
      throw error;
    }
  };

  const search = async (
    { ids, near, notBefore = 0 }: SearchOptions,
    call: BackendCall,
    onResponse: () => void,
  ): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    const left = { files: limits.files, bytes: limits.bytes };
    const readOrRecall = async (entry: FolderEntry) => {
      const { lastModified, id, failures } = remembered.get(entry.path) ?? nothing;
      const isKnown = lastModified === entry.last_modified;
      if (isKnown && (failures === 0 || failures >= maxFailures)) return id;
      const size = entry.size ?? 0;
      if (Date.parse(entry.last_modified) < notBefore || left.files === 0 || size > left.bytes) return undefined;
      left.files -= 1;
      left.bytes -= size;
      return idOf(entry, isKnown ? failures : 0, call);
    };
    // The set grows while it is read.
    const folders = new Set([...near, '']);
    for (const folder of folders) {
      const list = () => listFolder(folder, call);
      // Other folders can be absent, or must not be listed.
      const listed = folder === '' ? await list() : await unlessPermanentFailure(list, []);
      const entries = listed.filter(({ name }) => !name.startsWith('.'));
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

  return async (options: SearchOptions, call: BackendCall): Promise<Map<string, string>> => {
    let isHung = false;
    try {
      return await inTurn(() => {
        isHung = !call.signal.aborted;
        return search(options, call, () => {
          isHung = false;
        });
      });
    } catch (error) {
      // A search that takes long is not an outage, but a server that responds to none of its
      // requests is.
      if (!call.signal.aborted || isHung) throw error;
      throw new UpstreamError('the search for the notebook took too long', { retryable: true, cause: error });
    }
  };
}

const byTimeDescending = (one: FolderEntry, other: FolderEntry) =>
  one.last_modified < other.last_modified ? 1 : one.last_modified > other.last_modified ? -1 : 0;
