import type { Config } from '../../../shared/config/config.ts';
import { httpBackend } from './http-backend.ts';
import { jupyterBackend, type WithLock } from './jupyter-backend.ts';
import type { NotebookBackend } from './notebook-backend.ts';
import { openNotebookBackend } from './open-notebook-backend.ts';

/** The backend that NOTEBOOK_BACKEND names. */
export function chooseBackend(
  { backend, backendUrl: url, backendToken, backendFolder: folder }: Config['notebooks'],
  withLock: WithLock,
): NotebookBackend {
  const connection = backendToken === undefined ? { url } : { url, token: backendToken };
  if (backend === 'jupyter') return jupyterBackend({ ...connection, folder, withLock });
  return (backend === 'http' ? httpBackend : openNotebookBackend)(connection);
}
