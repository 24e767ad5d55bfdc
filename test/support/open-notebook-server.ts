import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

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

const now = () => new Date().toISOString().replace('T', ' ').replace('Z', '+00:00');

export function createOpenNotebookServer(password: string): OpenNotebookServer {
  const rows = new Map<string, Row>();
  let count = 0;
  const state: OpenNotebookServer = {
    rows,
    isDatabaseUnreachable: false,
    server: createServer((request, response) => {
      read(request)
        .then((body) => handle(request, body, response))
        .catch(() => response.destroy());
    }),
  };
  return state;

  function handle(request: IncomingMessage, body: Record<string, unknown>, response: ServerResponse): void {
    const send = (status: number, json: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
    if (request.headers.authorization !== `Bearer ${password}`) {
      send(401, { detail: request.headers.authorization ? 'Invalid password' : 'Missing authorization' });
      return;
    }
    const [, api, collection, encoded] = new URL(request.url ?? '/', 'http://x').pathname.split('/');
    if (api !== 'api' || collection !== 'notebooks') {
      send(404, { detail: 'Not Found' });
      return;
    }
    if (encoded === undefined) {
      if (state.isDatabaseUnreachable)
        send(500, { detail: 'Error: could not connect to the database at /var/lib/surreal/db' });
      else if (request.method === 'GET') send(200, [...rows.values()]);
      else create(body, send);
      return;
    }
    const row = rows.get(decodeURIComponent(encoded));
    if (request.method === 'GET') {
      if (state.isDatabaseUnreachable) send(500, { detail: 'Error fetching notebook' });
      else if (!row) send(404, { detail: 'Notebook not found' });
      else send(200, Object.assign(row, { updated: now() }));
      return;
    }
    if (!row || state.isDatabaseUnreachable) {
      send(404, { detail: 'Notebook not found' });
      return;
    }
    if (request.method === 'DELETE') {
      rows.delete(row.id);
      send(200, { message: 'Notebook deleted successfully', deleted_notes: 0, deleted_sources: 0 });
      return;
    }
    for (const field of ['name', 'description'] as const) {
      if (typeof body[field] === 'string') row[field] = body[field];
    }
    send(200, Object.assign(row, { updated: now() }));
  }

  function create(body: Record<string, unknown>, send: (status: number, json: unknown) => void): void {
    if (typeof body['name'] !== 'string') {
      send(422, { detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] });
      return;
    }
    count += 1;
    const row: Row = {
      id: `notebook:${count.toString(36).padStart(20, 'q')}`,
      name: body['name'],
      description: typeof body['description'] === 'string' ? body['description'] : '',
      archived: false,
      created: now(),
      updated: now(),
      source_count: 0,
      note_count: 0,
    };
    rows.set(row.id, row);
    send(200, row);
  }
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
