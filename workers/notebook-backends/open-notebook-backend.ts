import Joi from 'joi';
import { backendClient } from './backend-client.ts';
import { ignoreAbsent } from './ignore-absent.ts';
import type { BackendCall, NotebookBackend } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';

/** A notebook there. Its times are not ours: reading may move them. */
interface Row {
  id: string;
  name: string;
  description: string;
}

const row = Joi.object<Row>({
  id: Joi.string().required(),
  name: Joi.string().allow('').required(),
  description: Joi.string().allow('', null).default('').required(),
});
const rows = Joi.array<Row[]>().items(row);

/** Our id stands in the last line of the description, until that is changed: a repeated create finds it there. */
const mark = /(?:^|\n)\[meterbook:([\da-f-]{36})\]\s*$/;
const marked = (description: string | null, id: string) =>
  `${description === null || description === '' ? '' : `${description}\n`}[meterbook:${id}]`;

const presented = ({ id, name, description }: Row) => ({
  ref: id,
  title: name,
  description: (description ?? '').replace(mark, '') || null,
});

/** Open Notebook's REST API. Ids are its own, create is not idempotent, and its lists have no pages. */
export function openNotebookBackend({ url, token }: { url: string; token?: string }): NotebookBackend {
  const client = backendClient(
    token === undefined ? { url } : { url, authorization: `Bearer ${token}`, secret: token },
  );
  const at = (ref: string) => ({ path: `api/notebooks/${encodeURIComponent(ref)}`, ofNotebook: true });
  const all = (call: BackendCall) => client.ask({ method: 'GET', path: 'api/notebooks' }, rows, call);
  const read = (ref: string, call: BackendCall) => client.ask({ method: 'GET', ...at(ref) }, row, call);
  const remove = (ref: string, call: BackendCall) =>
    confirmed(ref, call, () => client.tell({ method: 'DELETE', ...at(ref) }, call));

  /** The notebooks that carry our id, in an order that every process sees alike. */
  const markedWith = async (id: string, call: BackendCall): Promise<string[]> =>
    (await all(call))
      .filter(({ description }) => mark.exec(description ?? '')?.[1] === id)
      .map((found) => found.id)
      .sort();

  /** PUT and DELETE answer 404 to whatever goes wrong there, so that only a GET tells a notebook that is gone. */
  async function confirmed<T>(ref: string, call: BackendCall, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof NotebookAbsent)) throw error;
      await read(ref, call);
      throw new UpstreamError({
        reason: `it failed to change a notebook that it has${error.message === '' ? '' : `: ${error.message}`}`,
        retryable: true,
        outage: true,
        cause: error,
      });
    }
  }

  return {
    abilities: { updateTitle: true, updateDescription: true, storesDescription: true, pagedList: false },
    create: async ({ id, title, description }, call) => {
      const [before] = call.repeated ? await markedWith(id, call) : [];
      if (before !== undefined) return before;
      const body = { name: title, description: marked(description, id) };
      const created = await client.ask({ method: 'POST', path: 'api/notebooks', body }, row, call);
      if (!call.repeated) return created.id;
      // An earlier attempt may have been finished meanwhile; one copy stays.
      const [kept = created.id, ...copies] = await markedWith(id, call);
      for (const copy of copies) await ignoreAbsent(remove(copy, call));
      return kept;
    },
    read: async ({ ref }, call) => presented(await read(ref, call)),
    update: async ({ ref }, { title, description }, _updatedAt, call) => {
      const body = {
        ...(title === undefined ? {} : { name: title }),
        // Null would leave it as it is.
        ...(description === undefined ? {} : { description: description ?? '' }),
      };
      return presented(await confirmed(ref, call, () => client.ask({ method: 'PUT', ...at(ref), body }, row, call)));
    },
    remove: ({ ref }, call) => remove(ref, call),
    discard: async (id, call) => {
      for (const ref of await markedWith(id, call)) await ignoreAbsent(remove(ref, call));
    },
    list: async (_page, call) => ({ items: (await all(call)).map(presented) }),
    ping: async (call) => {
      await all(call);
    },
  };
}
