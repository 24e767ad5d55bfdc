import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Joi } from '../../../api/validation/joi.ts';
import { isUuid } from '../../../api/validation/uuid.ts';
import type { NotebookStore } from './notebook-store.ts';

/** The reference implementation of docs/notebook-backend.md, for the local stack and the tests. */

const maxBodyBytes = 64 * 1024;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const title = Joi.string().min(1);
const description = Joi.string().allow('', null);
const time = Joi.string().isoDate();
const creation = Joi.object<{ title: string; description: string | null; created_at: string }>({
  title: title.required(),
  description: description.required(),
  created_at: time.required(),
});
const change = Joi.object<{ title?: string; description?: string | null; updated_at: string }>({
  title,
  description,
  updated_at: time.required(),
});
const listing = Joi.object<{ limit: number; offset: number; sort: SortField; order: 'asc' | 'desc' }>({
  limit: Joi.number().integer().min(1).max(100).default(20),
  offset: Joi.number().integer().min(0).default(0),
  sort: Joi.string().valid('created_at', 'updated_at', 'title').default('created_at'),
  order: Joi.string().valid('asc', 'desc').default('desc'),
});
type SortField = 'created_at' | 'updated_at' | 'title';

/** The server, not listening yet. With a token, requests without it are refused. */
export function notebookServer(store: NotebookStore, token?: string): Server {
  return createServer((request, response) => {
    answer(store, token, request)
      .catch((error: unknown) => {
        if (error instanceof Refusal)
          return { status: error.status, body: { code: error.code, message: error.message } };
        return { status: 500, body: { code: 'internal', message: 'The store failed.' } };
      })
      .then(({ status, body }) => send(response, status, body))
      .catch(() => response.destroy());
  });
}

interface Answer {
  status: number;
  body?: unknown;
}

async function answer(store: NotebookStore, token: string | undefined, request: IncomingMessage): Promise<Answer> {
  if (token !== undefined && !carries(request, token))
    throw new Refusal(401, 'unauthorized', 'The token is not right.');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://backend');
  const [, collection, id, ...rest] = pathname.split('/');
  if (collection !== 'notebooks' || rest.length > 0) throw notThere();
  if (id === undefined) {
    if (request.method !== 'GET') throw notAllowed();
    return { status: 200, body: await store.list(checked(listing, Object.fromEntries(searchParams), true)) };
  }
  if (!isUuid(id)) throw notThere();
  if (request.method === 'GET') return { status: 200, body: orNotThere(await store.read(id)) };
  if (request.method === 'PUT') {
    const { created, notebook } = await store.create(id, checked(creation, await readJson(request)));
    if (!notebook) throw new Refusal(409, 'conflict', 'Another notebook has this id.');
    return { status: created ? 201 : 200, body: notebook };
  }
  if (request.method === 'PATCH') {
    return { status: 200, body: orNotThere(await store.update(id, checked(change, await readJson(request)))) };
  }
  if (request.method !== 'DELETE') throw notAllowed();
  if (!(await store.remove(id))) throw notThere();
  return { status: 204 };
}

/** Digests have one length, so the comparison takes the same time whatever was sent. */
function carries(request: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`));
}

function checked<T>(schema: ReturnType<typeof Joi.object<T>>, value: unknown, convert = false): T {
  const result = schema.validate(value, { convert });
  if (result.error) throw new Refusal(400, 'invalid', result.error.message);
  return result.value;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Refusal(413, 'too_large', 'The body is too large.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'invalid', 'The body is no JSON.');
  }
}

function orNotThere<T>(found: T | null): T {
  if (found === null) throw notThere();
  return found;
}

const notThere = () => new Refusal(404, 'not_found', 'There is no such notebook.');
const notAllowed = () => new Refusal(405, 'method_not_allowed', 'This address does not take that method.');

function send(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
}
