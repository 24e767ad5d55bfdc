import Joi from 'joi';
import { type BackendSettings, backendClient } from './backend-client.ts';
import type { BackendCall, NotebookBackend } from './notebook-backend.ts';
import { ignoreAbsent } from './upstream-error.ts';

interface HttpNotebook {
  id: string;
  title: string;
  description: string | null;
}

const notebook = Joi.object<HttpNotebook>({
  id: Joi.string().required(),
  title: Joi.string().required(),
  description: Joi.string().allow('', null).required(),
});
const page = Joi.object<{ items: HttpNotebook[]; total: number }>({
  items: Joi.array().items(notebook).required(),
  total: Joi.number().integer().min(0).required(),
});

const toBackendNotebook = ({ id, title, description }: HttpNotebook) => ({ ref: id, title, description });

/** A backend that implements docs/notebook-backend.md. It uses the service's notebook ids. */
export function httpBackend(settings: BackendSettings): NotebookBackend {
  const client = backendClient(settings, 'Bearer');
  const notebookPath = (id: string) => ({ path: `notebooks/${id}`, isNotebookPath: true });
  const remove = (id: string, call: BackendCall) => client.send({ method: 'DELETE', ...notebookPath(id) }, call);
  return {
    pagesLists: true,
    create: async ({ id, title, description, createdAt }, call) => {
      const body = { title, description, created_at: createdAt };
      await client.fetchJson({ method: 'PUT', path: `notebooks/${id}`, body }, notebook, call);
      return id;
    },
    read: async ({ id }, call) =>
      toBackendNotebook(await client.fetchJson({ method: 'GET', ...notebookPath(id) }, notebook, call)),
    update: async ({ id }, changes, updatedAt, call) => {
      const body = { ...changes, updated_at: updatedAt };
      return toBackendNotebook(await client.fetchJson({ method: 'PATCH', ...notebookPath(id), body }, notebook, call));
    },
    remove: async ({ id }, call) => {
      await remove(id, call);
    },
    discard: async (id, keptRef, call) => {
      if (keptRef === undefined) await ignoreAbsent(remove(id, call));
    },
    list: async ({ limit, offset, sort, order }, call) => {
      const path = `notebooks?limit=${limit}&offset=${offset}&sort=${sort}&order=${order}`;
      const { items, total } = await client.fetchJson({ method: 'GET', path }, page, call);
      return { items: items.map(toBackendNotebook), total };
    },
    ping: async (call) => {
      await client.fetchJson({ method: 'GET', path: 'notebooks?limit=1' }, page, call);
    },
  };
}
