import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * Open Notebook's notebook API, implemented from its documented behaviour: a create responds with
 * 200, ids are not UUIDs, timestamps contain a space, reading changes `updated`, null in a PUT
 * means unchanged, and every failed PUT or DELETE responds with 404.
 */
export interface OpenNotebookServer {
  server: Server;
  rows: Map<string, Row>;
  /** While true, reads fail with 500 and changes with 404. */
  isDatabaseUnreachable: boolean;
}

interface Row {
  id: string;
  name: string;
  description: string;
  archived: boolean;
  created: string;
  updated: string;
  source_count: number;
  note_count: number;
}

type Reply = [status: number, json: unknown];

const now = () => new Date().toISOString().replace('T', ' ').replace('Z', '+00:00');
const notFound: Reply = [404, { detail: 'Notebook not found' }];

export function createOpenNotebookServer(password: string): OpenNotebookServer {
  const rows = new Map<string, Row>();
  let count = 0;
  const state: OpenNotebookServer = {
    rows,
    isDatabaseUnreachable: false,
    server: createServer((request, response) => {
      const respond = async () => {
        const hasBody = request.method === 'POST' || request.method === 'PUT';
        const body = hasBody ? ((await json(request)) as Record<string, unknown>) : {};
        const [status, sent] = handle(request, body);
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(sent));
      };
      respond().catch(() => response.destroy());
    }),
  };
  return state;

  function handle({ method, url = '/', headers }: IncomingMessage, body: Record<string, unknown>): Reply {
    if (headers.authorization !== `Bearer ${password}`)
      return [401, { detail: headers.authorization ? 'Invalid password' : 'Missing authorization' }];
    const [, api, collection, encoded] = new URL(url, 'http://x').pathname.split('/');
    if (api !== 'api' || collection !== 'notebooks') return [404, { detail: 'Not Found' }];
    const isUnreachable = state.isDatabaseUnreachable;
    if (encoded === undefined) {
      if (isUnreachable) return [500, { detail: 'Error: could not connect to the database at /var/lib/surreal/db' }];
      return method === 'GET' ? [200, [...rows.values()]] : create(body);
    }
    const row = rows.get(decodeURIComponent(encoded));
    if (method === 'GET' && isUnreachable) return [500, { detail: 'Error fetching notebook' }];
    if (!row || isUnreachable) return notFound;
    if (method === 'DELETE') {
      rows.delete(row.id);
      return [200, { message: 'Notebook deleted successfully', deleted_notes: 0, deleted_sources: 0 }];
    }
    for (const field of ['name', 'description'] as const) {
      if (typeof body[field] === 'string') row[field] = body[field];
    }
    return [200, Object.assign(row, { updated: now() })];
  }

  function create({ name, description }: Record<string, unknown>): Reply {
    if (typeof name !== 'string')
      return [422, { detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] }];
    count += 1;
    const row: Row = {
      id: `notebook:${count.toString(36).padStart(20, 'q')}`,
      name,
      description: typeof description === 'string' ? description : '',
      archived: false,
      created: now(),
      updated: now(),
      source_count: 0,
      note_count: 0,
    };
    rows.set(row.id, row);
    return [200, row];
  }
}
