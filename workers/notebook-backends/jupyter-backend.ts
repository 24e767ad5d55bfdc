import Joi from 'joi';
import { backendClient } from './backend-client.ts';
import { ignoreAbsent } from './ignore-absent.ts';
import { losslessJson } from './lossless-json.ts';
import type { BackendCall, BackendNotebook, NotebookBackend } from './notebook-backend.ts';
import { NotebookAbsent } from './upstream-error.ts';

interface Metadata {
  title?: string;
  description?: string | null;
}

/** A notebook file. All parts except the metadata are written back unchanged. */
interface NotebookFile {
  content: { metadata: Metadata };
}

const notebookFile = Joi.object<NotebookFile>({
  content: Joi.object({
    metadata: Joi.object({ title: Joi.string(), description: Joi.string().allow('', null) }).required(),
  }).required(),
});
const folder = Joi.object<{ content: { name: string }[] }>({
  content: Joi.array()
    .items(Joi.object({ name: Joi.string().required() }))
    .required(),
});

/** Names of files that this service created. */
const ownFileName = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.ipynb$/;

/** Converts metadata. A file that Jupyter created can lack a title and a description. */
function toBackendNotebook(ref: string, { title, description }: Metadata): BackendNotebook {
  return { ref, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
}

const fileName = (id: string) => `${id}.ipynb`;

/**
 * The Contents API of Jupyter Server. The file name is the id of the service. The metadata contain title and
 * description.
 */
export function jupyterBackend({ url, token }: { url: string; token?: string }): NotebookBackend {
  const client = backendClient({
    url,
    json: losslessJson(),
    ...(token === undefined ? {} : { authorization: `token ${token}`, secret: token }),
  });
  const notebookPath = (ref: string, query = '') => ({ path: `api/contents/${ref}${query}`, isNotebookPath: true });
  const readFile = (ref: string, call: BackendCall) =>
    client.fetchJson({ method: 'GET', ...notebookPath(ref, '?type=notebook&content=1') }, notebookFile, call);
  const writeFile = (ref: string, content: object, call: BackendCall) => {
    const body = { type: 'notebook', format: 'json', content };
    return client.send({ method: 'PUT', path: `api/contents/${ref}`, body }, call);
  };
  const remove = (ref: string, call: BackendCall) => client.send({ method: 'DELETE', ...notebookPath(ref) }, call);

  return {
    capabilities: { updateTitle: true, updateDescription: true, storesDescription: true, pagedList: false },
    deriveRef: fileName,
    create: async ({ id, title, description, createdAt }, call) => {
      const ref = fileName(id);
      // Writing again would overwrite changes that users made since an earlier attempt.
      if (call.repeated && (await exists(ref, call))) return ref;
      const metadata = { title, description, created_at: createdAt };
      await writeFile(ref, { nbformat: 4, nbformat_minor: 5, metadata, cells: [] }, call);
      return ref;
    },
    read: async ({ ref }, call) => {
      return toBackendNotebook(ref, (await readFile(ref, call)).content.metadata);
    },
    update: async ({ ref }, changes, _updatedAt, call) => {
      const { content } = await readFile(ref, call);
      const metadata = { ...content.metadata, ...changes };
      await writeFile(ref, { ...content, metadata }, call);
      return toBackendNotebook(ref, metadata);
    },
    remove: ({ ref }, call) => remove(ref, call),
    discard: (id, call) => ignoreAbsent(remove(fileName(id), call)),
    list: async (_page, call) => {
      const { content } = await client.fetchJson(
        { method: 'GET', path: 'api/contents/?type=directory&content=1' },
        folder,
        call,
      );
      return { items: content.filter(({ name }) => ownFileName.test(name)).map(({ name }) => ({ ref: name })) };
    },
    ping: (call) => client.send({ method: 'GET', path: 'api/contents/?type=directory&content=0' }, call),
  };

  async function exists(ref: string, call: BackendCall): Promise<boolean> {
    try {
      await client.send({ method: 'GET', ...notebookPath(ref, '?content=0') }, call);
      return true;
    } catch (error) {
      if (error instanceof NotebookAbsent) return false;
      throw error;
    }
  }
}
