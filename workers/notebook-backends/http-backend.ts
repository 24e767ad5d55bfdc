import Joi from 'joi';
import type { BackendClientOptions } from './backend-client.ts';
import { backendClient } from './backend-client.ts';
import { ignoreAbsent } from './ignore-absent.ts';
import type { NotebookBackend } from './notebook-backend.ts';

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

const presented = ({ id, title, description }: HttpNotebook) => ({ ref: id, title, description });

/** The contract of docs/notebook-backend.md: notebooks are known by our ids there. */
export function httpBackend({ url, token }: { url: string; token?: string }): NotebookBackend {
  const options: BackendClientOptions =
    token === undefined ? { url } : { url, authorization: `Bearer ${token}`, secret: token };
  const client = backendClient(options);
  const at = (id: string) => ({ path: `notebooks/${id}`, ofNotebook: true });
  const remove: NotebookBackend['remove'] = ({ id }, call) => client.tell({ method: 'DELETE', ...at(id) }, call);
  return {
    abilities: { updateTitle: true, updateDescription: true, storesDescription: true, pagedList: true },
    refOf: (id) => id,
    create: async ({ id, title, description, createdAt }, call) => {
      const body = { title, description, created_at: createdAt };
      await client.ask({ method: 'PUT', path: `notebooks/${id}`, body }, notebook, call);
      return id;
    },
    read: async ({ id }, call) => presented(await client.ask({ method: 'GET', ...at(id) }, notebook, call)),
    update: async ({ id }, changes, updatedAt, call) => {
      const body = { ...changes, updated_at: updatedAt };
      return presented(await client.ask({ method: 'PATCH', ...at(id), body }, notebook, call));
    },
    remove,
    discard: (id, call) => ignoreAbsent(remove({ id, ref: id }, call)),
    list: async ({ limit, offset, sort, order }, call) => {
      const path = `notebooks?limit=${limit}&offset=${offset}&sort=${sort}&order=${order}`;
      const { items, total } = await client.ask({ method: 'GET', path }, page, call);
      return { items: items.map(presented), total };
    },
    ping: async (call) => {
      await client.ask({ method: 'GET', path: 'notebooks?limit=1' }, page, call);
    },
  };
}
