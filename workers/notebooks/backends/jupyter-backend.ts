import type { Config } from '../../../shared/config/config.ts';
import { day, minute } from '../../../shared/durations.ts';
import { type BackendClient, type BackendSettings, backendClient } from './backend-client.ts';
import { contentsPath, folderOf, type JupyterContents, joinPath, jupyterContents, nameOf } from './jupyter-contents.ts';
import { fileNameOfId, fileNamesOf, jupyterFiles, type Metadata } from './jupyter-file.ts';
import { createNotebookSearch, type NotebookSearch } from './jupyter-search.ts';
import type { BackendCall, BackendNotebook, NotebookBackend, NotebookReference } from './notebook-backend.ts';
import { ignoreAbsent, NotebookAbsent, UpstreamError } from './upstream-error.ts';

/** How much earlier than ours the clock of the server may be. */
const clockTolerance = 1 * day;
/** For this time, lists do not search again for a notebook that was not found. */
const searchPause = minute / 2;
/** Folders, besides that of new notebooks and the root, that a list reads. */
const maxListedFolders = 10;

/** Runs work while no other process runs work with the same key. */
export type WithLock = <T>(key: string, call: BackendCall, work: () => Promise<T>) => Promise<T>;

const toBackendNotebook = (ref: string, { title, description }: Metadata): BackendNotebook => ({
  ref,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
});

/**
 * The Contents API of Jupyter Server. The metadata of a file contain id, title and description. The
 * file is named after the title, and people may rename and move it: the reference is the path at
 * which it was last seen, and the id decides.
 */
export function jupyterBackend(
  { backendFolder: newFolder, ...settings }: BackendSettings & Pick<Config['notebooks'], 'backendFolder'>,
  withLock: WithLock,
): NotebookBackend {
  const client = backendClient(settings, 'token');
  const contents = jupyterContents(client);
  const files = jupyterFiles(client);
  const search = createNotebookSearch(contents, (path, call) => files.readId(path, call));
  const nameAfterTitle = createNaming(contents, withLock);
  const writeNewFile = createFileWriter(client, contents, newFolder);
  const newPathOf = (id: string) => joinPath(newFolder, fileNameOfId(id));

  /** The paths of the notebooks in a folder; none if it does not exist. */
  const listPaths = async (folder: string, call: BackendCall): Promise<string[]> => {
    const entries = (await ignoreAbsent(contents.listFolder(folder, call))) ?? [];
    return entries.filter(({ type }) => type === 'notebook').map(({ path }) => path);
  };

  /**
   * Searches for a notebook. A file that was last changed before the notebook was created cannot
   * be it.
   */
  const findPath = async (id: string, near: string[], createdAt: Date | string, call: BackendCall) => {
    const notBefore = new Date(createdAt).getTime() - clockTolerance;
    return (await search({ ids: new Set([id]), near: [...near, newFolder], notBefore }, call)).get(id);
  };

  /** Uses a notebook at its path; if it is no longer there, at the path where a search finds it. */
  const atItsPath = async <T>(
    { id, ref, createdAt }: NotebookReference,
    call: BackendCall,
    use: (path: string) => Promise<T>,
  ): Promise<T> => {
    try {
      return await use(ref);
    } catch (error) {
      if (!(error instanceof NotebookAbsent)) throw error;
      const path = await findPath(id, [folderOf(ref)], createdAt, call);
      if (path === undefined) throw error;
      return use(path);
    }
  };

  /** Removes a file if it contains the notebook. */
  const removeFile = async (path: string, id: string, call: BackendCall): Promise<void> => {
    await files.read(path, id, call);
    await client.send({ method: 'DELETE', path: contentsPath(path), isNotebookPath: true }, call);
  };

  return {
    pagesLists: false,
    create: async ({ id, title, description, createdAt }, call) => {
      const newPath = newPathOf(id);
      // Writing again would overwrite changes that users made since an earlier attempt.
      const found = call.repeated ? await findPath(id, [], createdAt, call) : undefined;
      if (found !== undefined && found !== newPath) return found;
      // The first name is unique, so that an attempt that is repeated or ends late overwrites no
      // other notebook.
      if (found === undefined) {
        await writeNewFile(newPath, { meterbook: { id }, title, description, created_at: createdAt }, call);
      }
      return nameAfterTitle(newPath, title, id, call);
    },
    read: (notebook, call) =>
      atItsPath(notebook, call, async (path) => toBackendNotebook(path, await files.read(path, notebook.id, call))),
    update: (notebook, changes, _updatedAt, call) =>
      atItsPath(notebook, call, async (path) => {
        const { id, title: oldTitle } = notebook;
        const metadata = await files.update(path, id, changes, call);
        const { title = oldTitle } = changes;
        const isNamedByService = [fileNameOfId(id), ...fileNamesOf(oldTitle, id)].includes(nameOf(path));
        const isRenamed = title !== oldTitle && isNamedByService && !(await contents.mayBeOpen(path, call));
        return toBackendNotebook(isRenamed ? await nameAfterTitle(path, title, id, call) : path, metadata);
      }),
    remove: (notebook, call) => atItsPath(notebook, call, (path) => removeFile(path, notebook.id, call)),
    discard: async (id, keptRef, call) => {
      // An attempt that ended late has written the file under its first name, possibly again.
      if (keptRef !== newPathOf(id)) await ignoreAbsent(removeFile(newPathOf(id), id, call));
      const path = keptRef ?? (await search({ ids: new Set([id]), near: [newFolder] }, call)).get(id);
      if (path !== undefined && path !== keptRef) await ignoreAbsent(removeFile(path, id, call));
    },
    list: async (_page, call) => {
      const refs = await listPaths(newFolder, call);
      // People move files.
      if (newFolder !== '') refs.push(...(await listPaths('', call)));
      return { items: refs.map((ref) => ({ ref })) };
    },
    locate: createLocator(newFolder, listPaths, search),
    ping: async (call) => {
      await client.send({ method: 'GET', path: contentsPath('', '?type=directory&content=0') }, call);
    },
    checkWrites: (call) => contents.checkWrites(newPathOf(call.requestId), call),
  };
}

/**
 * Names a file after its title, unless other files have both names. Jupyter refuses to rename over
 * a file, but current versions check this some time before they rename; with the lock, no two
 * notebooks of the service get one name.
 * @returns a function that returns the path of the file. It keeps its name if a repeated attempt
 * fails too.
 */
function createNaming({ rename }: Pick<JupyterContents, 'rename'>, withLock: WithLock) {
  return async (path: string, title: string, id: string, call: BackendCall): Promise<string> => {
    try {
      for (const name of fileNamesOf(title, id)) {
        const named = joinPath(folderOf(path), name);
        const key = `file:${named.toLowerCase()}`;
        if (named === path || (await withLock(key, call, () => rename(path, named, call)))) return named;
      }
    } catch (error) {
      if (!call.repeated || !(error instanceof UpstreamError)) throw error;
    }
    return path;
  };
}

/** @returns a function that writes an empty notebook, and creates the folder of new ones first. */
function createFileWriter(client: BackendClient, contents: JupyterContents, newFolder: string) {
  let folderExists = newFolder === '';
  return async (path: string, metadata: object, call: BackendCall): Promise<void> => {
    const kernelspec = await contents.findKernel(call);
    if (!folderExists) await contents.createFolder(newFolder, call);
    // If the write fails, the reason can be that the folder was removed. The next attempt then
    // creates it.
    folderExists = newFolder === '';
    const content = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { ...(kernelspec ? { kernelspec } : {}), ...metadata },
      cells: [],
    };
    const body = { type: 'notebook', format: 'json', content };
    await client.send({ method: 'PUT', path: contentsPath(path), body }, call);
    folderExists = true;
  };
}

/** Finds notebooks in their folders, and by a search those that are not there. */
function createLocator(
  newFolder: string,
  listPaths: (folder: string, call: BackendCall) => Promise<string[]>,
  search: NotebookSearch,
): NonNullable<NotebookBackend['locate']> {
  /** When a list did not find a notebook, by its id. Epoch milliseconds. */
  const notFoundAt = new Map<string, number>();
  return async (notebooks, call) => {
    const located = new Map<string, string>();
    const folders = new Set(notebooks.map(({ ref }) => folderOf(ref)));
    const listed = [...folders].filter((path) => path !== newFolder && path !== '').slice(0, maxListedFolders);
    for (const folder of listed) {
      const paths = new Set(await listPaths(folder, call));
      for (const { id, ref } of notebooks) if (paths.has(ref)) located.set(id, ref);
    }
    const now = Date.now();
    for (const [id, at] of notFoundAt) if (at < now - searchPause) notFoundAt.delete(id);
    const missing = notebooks.filter(({ id }) => !located.has(id) && !notFoundAt.has(id));
    if (missing.length === 0) return located;
    const ids = new Set(missing.map(({ id }) => id));
    const notBefore = Math.min(...missing.map(({ createdAt }) => createdAt.getTime())) - clockTolerance;
    for (const [id, path] of await search({ ids, near: [newFolder], notBefore }, call)) located.set(id, path);
    for (const id of ids) if (!located.has(id)) notFoundAt.set(id, now);
    return located;
  };
}
