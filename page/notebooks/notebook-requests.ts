import { hour } from '../../shared/durations.ts';
import { queryClient } from '../client/api.ts';
import { type ApiRequest, send } from '../client/api-client.ts';
import { createKey, keyWith } from '../client/new-keys.ts';
import type { Notebook, NotebookList } from '../client/responses.ts';
import { authorized } from '../client/session.ts';
import { settings } from '../client/settings.ts';

const path = '/api/v1/notebooks';

/** Variant 0.1.0 of the interface takes API keys only, also from people who are signed in. */
export const needsKey = settings.notebooks === '0.1.0';

export const notebooksPerPage = 10;

/** The newest key that the page has created for notebooks; null without one. */
export const notebookKey = (): string | null => keyWith('notebooks:read', 'notebooks:write')?.key ?? null;

export async function createNotebookKey(): Promise<void> {
  await createKey({
    name: 'Notebooks in the page',
    scopes: ['notebooks:read', 'notebooks:write'],
    expires_at: new Date(Date.now() + hour).toISOString(),
  });
}

export async function readNotebooks(page: number, signal: AbortSignal) {
  const query = { limit: notebooksPerPage, offset: (page - 1) * notebooksPerPage };
  const response = await request(path, { query, signal });
  const { items, pagination } = ((await response.json()) as { data: NotebookList }).data;
  return { items, total: pagination.total };
}

interface NotebookFields {
  readonly title: string;
  readonly description: string | null;
}

export async function createNotebook(body: NotebookFields): Promise<void> {
  await request(path, { method: 'POST', body });
  await refresh();
}

export async function changeNotebook({ id }: Notebook, body: NotebookFields): Promise<void> {
  await request(`${path}/${id}`, { method: 'PATCH', body });
  await refresh();
}

export async function deleteNotebook({ id }: Notebook): Promise<void> {
  await request(`${path}/${id}`, { method: 'DELETE' });
  await refresh();
}

/**
 * A refused key says nothing about the session, so a request with a key has no other credentials.
 */
function request(requestPath: string, options: ApiRequest): Promise<Response> {
  if (!needsKey) return authorized(requestPath, options);
  const key = notebookKey();
  return send(requestPath, { ...options, ...(key === null ? {} : { headers: { 'X-API-Key': key } }) });
}

const refresh = () => queryClient.invalidateQueries({ queryKey: ['notebooks'] });
