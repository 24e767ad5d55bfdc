import Joi from 'joi';
import type { BackendClient } from './backend-client.ts';
import type { BackendCall } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';

// Requests of Jupyter's Contents API that concern folders and names. A path is relative to the root
// of the server, with `/` between its parts, and not encoded.

/** About ten thousand files. A list is parsed as a whole. */
const maxListBytes = 4 * 1024 * 1024;

export interface FolderEntry {
  name: string;
  path: string;
  type: 'directory' | 'notebook' | 'file';
  /** Absent or null on some servers, and for folders. */
  size?: number | null;
  last_modified: string;
}

const folderList = Joi.object<{ content: FolderEntry[] }>({
  content: Joi.array()
    .items(
      Joi.object({
        name: Joi.string().required(),
        path: Joi.string().required(),
        type: Joi.string().required(),
        size: Joi.number().allow(null),
        last_modified: Joi.string().required(),
      }),
    )
    .required(),
});
const kernels = Joi.object<{ default: string; kernelspecs: Record<string, { spec: KernelSpec }> }>({
  default: Joi.string().allow('').required(),
  kernelspecs: Joi.object()
    .pattern(
      Joi.string(),
      Joi.object({
        spec: Joi.object({ display_name: Joi.string().required(), language: Joi.string().required() }).required(),
      }),
    )
    .required(),
});
const sessions = Joi.array<{ path?: string }[]>().items(Joi.object({ path: Joi.string().allow('') }));

interface KernelSpec {
  display_name: string;
  language: string;
}

export const contentsPath = (path: string, query = ''): string =>
  `api/contents/${path.split('/').map(encodeURIComponent).join('/')}${query}`;
export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export type JupyterContents = ReturnType<typeof jupyterContents>;

export function jupyterContents(client: BackendClient) {
  return {
    /**
     * @throws NotebookAbsent if the folder does not exist. The root always exists, so its 404 is a
     * wrong address.
     */
    listFolder: async (folder: string, call: BackendCall): Promise<FolderEntry[]> => {
      const path = contentsPath(folder, '?type=directory&content=1');
      const request = { method: 'GET' as const, path, isNotebookPath: folder !== '', maxResponseBytes: maxListBytes };
      return (await client.fetchJson(request, folderList, call)).content;
    },

    /** Creates a folder and the folders that contain it. Existing folders stay as they are. */
    createFolder: async (folder: string, call: BackendCall): Promise<void> => {
      const parts = folder.split('/');
      for (let depth = 1; depth <= parts.length; depth += 1) {
        const path = contentsPath(parts.slice(0, depth).join('/'));
        await client.send({ method: 'PUT', path, body: { type: 'directory' } }, call);
      }
    },

    /**
     * @returns false if the server refuses, because a file has the new name for example, or if the
     * file is gone.
     */
    rename: async (from: string, to: string, call: BackendCall): Promise<boolean> => {
      const request = { method: 'PATCH' as const, path: contentsPath(from), isNotebookPath: true, body: { path: to } };
      return unlessPermanentFailure(async () => {
        await client.send(request, call);
        return true;
      }, false);
    },

    /**
     * Renames a file that does not exist to its own name. A server without a token serves reads and
     * refuses every change. Other failures say nothing about changes.
     * @throws UpstreamError if the server does not let us change anything.
     */
    checkWrites: async (path: string, call: BackendCall): Promise<void> => {
      try {
        await client.send({ method: 'PATCH', path: contentsPath(path), body: { path } }, call);
      } catch (error) {
        if (error instanceof UpstreamError && error.unauthorized) throw error;
      }
    },

    /**
     * The metadata that name the server's default kernel, or another one if that does not exist.
     */
    findKernel: (call: BackendCall) =>
      unlessPermanentFailure(async () => {
        const request = { method: 'GET' as const, path: 'api/kernelspecs', isNotebookPath: true };
        const response = await client.fetchJson(request, kernels, call);
        const name = [response.default, ...Object.keys(response.kernelspecs).sort()].find(
          (key) => response.kernelspecs[key],
        );
        const spec = name === undefined ? undefined : response.kernelspecs[name]?.spec;
        return spec && { name, display_name: spec.display_name, language: spec.language };
      }, undefined),

    /**
     * Whether somebody may have the notebook open. An editor would save it under its old name after
     * a rename.
     */
    mayBeOpen: (path: string, call: BackendCall): Promise<boolean> =>
      unlessPermanentFailure(async () => {
        const request = { method: 'GET' as const, path: 'api/sessions', isNotebookPath: true };
        return (await client.fetchJson(request, sessions, call)).some((session) => session.path === path);
      }, true),
  };
}

/** @returns `otherwise` if the request fails and would fail again. */
export async function unlessPermanentFailure<T>(request: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof NotebookAbsent || (error instanceof UpstreamError && !error.retryable)) return otherwise;
    throw error;
  }
}
