import Joi from 'joi';
import { backendClient } from './backend-client.ts';
import { exactJson } from './exact-json.ts';
import { ignoreAbsent } from './ignore-absent.ts';
import type { BackendCall, BackendNotebook, NotebookBackend } from './notebook-backend.ts';
import { NotebookAbsent } from './upstream-error.ts';

interface Metadata {
  title?: string;
  description?: string | null;
}

/** A notebook file. All but the metadata is passed on as it came: cells and outputs are not ours. */
interface File {
  content: { metadata: Metadata };
}

const file = Joi.object<File>({
  content: Joi.object({
    metadata: Joi.object({ title: Joi.string(), description: Joi.string().allow('', null) }).required(),
  }).required(),
});
const folder = Joi.object<{ content: { name: string }[] }>({
  content: Joi.array()
    .items(Joi.object({ name: Joi.string().required() }))
    .required(),
});

const ours = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.ipynb$/;
/** A file that others have made may lack either. */
function presented(ref: string, { title, description }: Metadata): BackendNotebook {
  return { ref, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

const fileOf = (id: string) => `${id}.ipynb`;

/** Jupyter Server's Contents API: a notebook is a file that is named by our id, title and description its metadata. */
export function jupyterBackend({ url, token }: { url: string; token?: string }): NotebookBackend {
  const client = backendClient({
    url,
    json: exactJson(),
    ...(token === undefined ? {} : { authorization: `token ${token}`, secret: token }),
  });
  const at = (ref: string, query = '') => ({ path: `api/contents/${ref}${query}`, ofNotebook: true });
  const readFile = (ref: string, call: BackendCall) =>
    client.ask({ method: 'GET', ...at(ref, '?type=notebook&content=1') }, file, call);
  const writeFile = (ref: string, content: object, call: BackendCall) => {
    const body = { type: 'notebook', format: 'json', content };
    return client.tell({ method: 'PUT', path: `api/contents/${ref}`, body }, call);
  };
  const remove = (ref: string, call: BackendCall) => client.tell({ method: 'DELETE', ...at(ref) }, call);

  return {
    abilities: { updateTitle: true, updateDescription: true, storesDescription: true, pagedList: false },
    refOf: fileOf,
    create: async ({ id, title, description, createdAt }, call) => {
      const ref = fileOf(id);
      // Saving again would undo what somebody has written into it since an earlier attempt.
      if (call.repeated && (await exists(ref, call))) return ref;
      const metadata = { title, description, created_at: createdAt };
      await writeFile(ref, { nbformat: 4, nbformat_minor: 5, metadata, cells: [] }, call);
      return ref;
    },
    read: async ({ ref }, call) => {
      return presented(ref, (await readFile(ref, call)).content.metadata);
    },
    update: async ({ ref }, changes, _updatedAt, call) => {
      const { content } = await readFile(ref, call);
      const metadata = { ...content.metadata, ...changes };
      await writeFile(ref, { ...content, metadata }, call);
      return presented(ref, metadata);
    },
    remove: ({ ref }, call) => remove(ref, call),
    discard: (id, call) => ignoreAbsent(remove(fileOf(id), call)),
    list: async (_page, call) => {
      const { content } = await client.ask(
        { method: 'GET', path: 'api/contents/?type=directory&content=1' },
        folder,
        call,
      );
      return { items: content.filter(({ name }) => ours.test(name)).map(({ name }) => ({ ref: name })) };
    },
    ping: (call) => client.tell({ method: 'GET', path: 'api/contents/?type=directory&content=0' }, call),
  };

  async function exists(ref: string, call: BackendCall): Promise<boolean> {
    try {
      await client.tell({ method: 'GET', ...at(ref, '?content=0') }, call);
      return true;
    } catch (error) {
      if (error instanceof NotebookAbsent) return false;
      throw error;
    }
  }
}
