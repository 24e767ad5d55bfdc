import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Joi } from '../../../api/http/joi.ts';
import { isUuid } from '../../../shared/crypto/digest-uuid.ts';
import { isSameSecret } from '../../../shared/crypto/sha256.ts';
import type { NotebookStore } from './notebook-store.ts';

// The reference implementation of docs/notebook-backend.md, for the local stack and the tests.

const maxBodyBytes = 64 * 1024;

class HttpError extends Error {
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
const createSchema = Joi.object<{ title: string; description: string | null; created_at: string }>({
  title: title.required(),
  description: description.required(),
  created_at: time.required(),
});
const updateSchema = Joi.object<{ title?: string; description?: string | null; updated_at: string }>({
  title,
  description,
  updated_at: time.required(),
});
const listSchema = Joi.object<{ limit: number; offset: number; sort: SortField; order: 'asc' | 'desc' }>({
  limit: Joi.number().integer().min(1).max(100).default(20),
  offset: Joi.number().integer().min(0).default(0),
  sort: Joi.string().valid('created_at', 'updated_at', 'title').default('created_at'),
  order: Joi.string().valid('asc', 'desc').default('desc'),
});
type SortField = 'created_at' | 'updated_at' | 'title';

/**
 * Creates the server without listening. If `token` is set, requests without this token get
 * with 401.
 */
export function createNotebookServer(store: NotebookStore, token?: string): Server {
  return createServer((request, response) => {
    handleRequest(store, token, request)
      .catch((error: unknown) => {
        if (error instanceof HttpError)
          return { status: error.status, body: { code: error.code, message: error.message } };
        return { status: 500, body: { code: 'internal', message: 'The database failed.' } };
      })
      .then(({ status, body }) => send(response, status, body))
      .catch(() => response.destroy());
  });
}

interface BackendResponse {
  status: number;
  body?: unknown;
}

async function handleRequest(
  store: NotebookStore,
  token: string | undefined,
  request: IncomingMessage,
): Promise<BackendResponse> {
  if (token !== undefined && !hasToken(request, token))
    throw new HttpError(401, 'unauthorized', 'The token is invalid.');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://backend');
  const [, collection, id, ...rest] = pathname.split('/');
  if (collection !== 'notebooks' || rest.length > 0) throw notFound();
  if (id === undefined) {
    if (request.method !== 'GET') throw methodNotAllowed();
    return { status: 200, body: await store.list(validate(listSchema, Object.fromEntries(searchParams), true)) };
  }
  if (!isUuid(id)) throw notFound();
  if (request.method === 'GET') return { status: 200, body: requireFound(await store.read(id)) };
  if (request.method === 'PUT') {
    const { created, notebook } = await store.create(id, validate(createSchema, await readJson(request)));
    if (!notebook) throw new HttpError(409, 'conflict', 'Another notebook has this id.');
    return { status: created ? 201 : 200, body: notebook };
  }
  if (request.method === 'PATCH') {
    return { status: 200, body: requireFound(await store.update(id, validate(updateSchema, await readJson(request)))) };
  }
  if (request.method !== 'DELETE') throw methodNotAllowed();
  if (!(await store.remove(id))) throw notFound();
  return { status: 204 };
}

function hasToken(request: IncomingMessage, token: string): boolean {
  return isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`);
}

function validate<T>(schema: ReturnType<typeof Joi.object<T>>, value: unknown, convert = false): T {
  const result = schema.validate(value, { convert });
  if (result.error) throw new HttpError(400, 'invalid', result.error.message);
  return result.value;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new HttpError(413, 'too_large', 'The body is too large.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new HttpError(400, 'invalid', 'The body is not JSON.');
  }
}

function requireFound<T>(found: T | null): T {
  if (found === null) throw notFound();
  return found;
}

const notFound = () => new HttpError(404, 'not_found', 'The notebook does not exist.');
const methodNotAllowed = () => new HttpError(405, 'method_not_allowed', 'The method is not allowed for this path.');

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
