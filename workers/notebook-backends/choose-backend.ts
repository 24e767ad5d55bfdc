import type { Config } from '../../shared/config/config.ts';
import { httpBackend } from './http-backend.ts';
import { jupyterBackend } from './jupyter-backend.ts';
import type { NotebookBackend } from './notebook-backend.ts';
import { openNotebookBackend } from './open-notebook-backend.ts';

const adapters = { http: httpBackend, 'open-notebook': openNotebookBackend, jupyter: jupyterBackend } as const;

/** The backend that NOTEBOOK_BACKEND names. */
export function chooseBackend({ backend, backendUrl, backendToken }: Config['notebooks']): NotebookBackend {
  return adapters[backend]({ url: backendUrl, ...(backendToken === undefined ? {} : { token: backendToken }) });
}
