import Joi from 'joi';
import { type BackendSettings, backendClient } from './backend-client.ts';
import type { BackendCall, NotebookBackend } from './notebook-backend.ts';
import { ignoreAbsent, NotebookAbsent, UpstreamError } from './upstream-error.ts';

/** A notebook in Open Notebook. Its times are not used, because a read can change them. */
interface OpenNotebook {
  id: string;
  name: string;
  description: string;
}

const notebook = Joi.object<OpenNotebook>({
  id: Joi.string().required(),
  name: Joi.string().allow('').required(),
  description: Joi.string().allow('', null).default('').required(),
});
const notebooks = Joi.array<OpenNotebook[]>().items(notebook);

/**
 * The last line of a new notebook's description. A repeated create finds the notebook by the
 * service's id in it.
 */
const idMarker = /(?:^|\n)\[meterbook:([\da-f-]{36})\]\s*$/;
const addIdMarker = (description: string | null, id: string) =>
  `${description === null || description === '' ? '' : `${description}\n`}[meterbook:${id}]`;

const toBackendNotebook = ({ id, name, description }: OpenNotebook) => ({
  ref: id,
  title: name,
  description: (description ?? '').replace(idMarker, '') || null,
});

/**
 * The REST API of Open Notebook. It assigns its own ids, its create is not idempotent, and its
 * lists are not paged.
 */
export function openNotebookBackend(settings: BackendSettings): NotebookBackend {
  const client = backendClient(settings, 'Bearer');
  const notebookPath = (ref: string) => ({ path: `api/notebooks/${encodeURIComponent(ref)}`, isNotebookPath: true });
  const readAll = (call: BackendCall) => client.fetchJson({ method: 'GET', path: 'api/notebooks' }, notebooks, call);
  const read = (ref: string, call: BackendCall) =>
    client.fetchJson({ method: 'GET', ...notebookPath(ref) }, notebook, call);
  const remove = (ref: string, call: BackendCall) =>
    change(ref, call, () => client.send({ method: 'DELETE', ...notebookPath(ref) }, call));

  /**
   * Finds the notebooks with the service's id in the description, in the same order in every
   * process.
   */
  const findByMarker = async (id: string, call: BackendCall): Promise<string[]> =>
    (await readAll(call))
      .filter(({ description }) => idMarker.exec(description ?? '')?.[1] === id)
      .map((found) => found.id)
      .sort();

  /**
   * Changes a notebook. PUT and DELETE respond with 404 to any error, so a GET confirms that the
   * notebook does not exist.
   */
  async function change<T>(ref: string, call: BackendCall, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof NotebookAbsent)) throw error;
      await read(ref, call);
      const reason = `it failed to change an existing notebook${error.message === '' ? '' : `: ${error.message}`}`;
      throw new UpstreamError(reason, { retryable: true, outage: true, cause: error });
    }
  }

  return {
    pagesLists: false,
    create: async ({ id, title, description }, call) => {
      const [existing] = call.repeated ? await findByMarker(id, call) : [];
      if (existing !== undefined) return existing;
      const body = { name: title, description: addIdMarker(description, id) };
      const created = await client.fetchJson({ method: 'POST', path: 'api/notebooks', body }, notebook, call);
      if (!call.repeated) return created.id;
      // An earlier attempt can have succeeded concurrently. One copy is kept.
      const [kept = created.id, ...copies] = await findByMarker(id, call);
      for (const copy of copies) await ignoreAbsent(remove(copy, call));
      return kept;
    },
    read: async ({ ref }, call) => toBackendNotebook(await read(ref, call)),
    update: async ({ ref }, { title, description }, _updatedAt, call) => {
      const body = {
        ...(title === undefined ? {} : { name: title }),
        // Null would leave the description unchanged.
        ...(description === undefined ? {} : { description: description ?? '' }),
      };
      return toBackendNotebook(
        await change(ref, call, () => client.fetchJson({ method: 'PUT', ...notebookPath(ref), body }, notebook, call)),
      );
    },
    remove: async ({ ref }, call) => {
      await remove(ref, call);
    },
    discard: async (id, keptRef, call) => {
      for (const ref of await findByMarker(id, call)) if (ref !== keptRef) await ignoreAbsent(remove(ref, call));
    },
    list: async (_page, call) => ({ items: (await readAll(call)).map(toBackendNotebook) }),
    ping: async (call) => {
      await readAll(call);
    },
  };
}
