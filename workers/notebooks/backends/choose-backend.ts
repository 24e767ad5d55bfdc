import type { Config } from '../../../shared/config/config.ts';
import { httpBackend } from './http-backend.ts';
import { jupyterBackend, type WithLock } from './jupyter-backend.ts';
import type { NotebookBackend } from './notebook-backend.ts';
import { openNotebookBackend } from './open-notebook-backend.ts';

/** The backend that NOTEBOOK_BACKEND names. */
export function chooseBackend(settings: Config['notebooks'], withLock: WithLock): NotebookBackend {
  if (settings.backend === 'jupyter') return jupyterBackend(settings, withLock);
  return (settings.backend === 'http' ? httpBackend : openNotebookBackend)(settings);
}
