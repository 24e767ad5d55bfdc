import type { CollectionName } from '../history.ts';
import type { Client, Repeats, Request } from './client.ts';

/** A collection of the API: where it is, and what creates an item and names it. */
interface Collection {
  readonly path: string;
  readonly nameField: string;
  readonly create: (name: string, scenario: string) => { path?: string; body: object };
}

/** A schedule has no name, but a time of its own, which is none of the next hours. */
const cronOf = (index: number) =>
  `${index % 60} ${Math.floor(index / 60) % 24} ${1 + (Math.floor(index / 1440) % 28)} 1 *`;

const itemKinds: Readonly<Record<CollectionName, Collection>> = {
  scenarios: {
    path: '/api/v1/scenarios',
    nameField: 'name',
    create: (name) => ({ body: { name, region: 'eu-west-1' } }),
  },
  notebooks: {
    path: '/api/v1/notebooks',
    nameField: 'title',
    create: (title) => ({ body: { title, description: '' } }),
  },
  reports: {
    path: '/api/v1/reports',
    nameField: 'title',
    create: (title, scenario) => ({ path: `/api/v1/scenarios/${scenario}/reports`, body: { format: 'csv', title } }),
  },
  schedules: {
    path: '/api/v1/report-schedules',
    nameField: 'cron',
    create: (cron, scenario) => ({ body: { scenario_id: scenario, format: 'csv', cron } }),
  },
  users: { path: '/api/v1/users', nameField: 'email', create: (email) => ({ body: { email } }) },
  keys: { path: '/api/v1/api-keys', nameField: 'name', create: (name) => ({ body: { name } }) },
};

/** The content of a response: that of notebooks is in an envelope. */
const contentOf = (body: unknown) => ((body as { data?: unknown }).data ?? body) as Content;

/** An item, or a page of a list. */
interface Content {
  id: string;
  items: Record<string, string>[];
  /** Only pages of notebooks have it. */
  pagination?: { has_more: boolean };
}

const pageSize = 100;

/** Lists the names of all items. @returns undefined if a page cannot be read. */
export async function listNames(client: Client, collection: CollectionName): Promise<string[] | undefined> {
  const { path, nameField } = itemKinds[collection];
  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    const query =
      collection === 'notebooks'
        ? `?offset=${(page - 1) * pageSize}&limit=${pageSize}`
        : `?page=${page}&page_size=${pageSize}`;
    const answer = await client.send({ method: 'GET', path: path + query });
    if (answer?.status !== 200) return undefined;
    const { items, pagination } = contentOf(answer.body);
    names.push(...items.map((item) => item[nameField] ?? ''));
    // A page of notebooks leaves out those without a record, so it can be shorter than its limit.
    if (!(pagination?.has_more ?? items.length === pageSize)) return names;
  }
}

export interface Item {
  readonly collection: CollectionName;
  readonly name: string;
  readonly id: string;
}

let created = 0;

/** Creates an item with a name of its own. @returns it if that was acknowledged. */
export async function createItem(
  client: Client,
  collection: CollectionName,
  scenario: string,
  repeats: Repeats,
): Promise<Item | undefined> {
  created += 1;
  const name = nameOf(collection, created);
  const kind = itemKinds[collection];
  const { path = kind.path, body } = kind.create(name, scenario);
  const request: Request = { method: 'POST', path, body: JSON.stringify(body) };
  const answer = await client.operate({ kind: 'create', collection, name }, request, repeats);
  if (answer === undefined || answer.status >= 300) return undefined;
  return { collection, name, id: contentOf(answer.body).id };
}

export async function deleteItem(client: Client, { collection, name, id }: Item): Promise<void> {
  const request = { method: 'DELETE', path: `${itemKinds[collection].path}/${id}` };
  await client.operate({ kind: 'delete', collection, name }, request, { isKeyed: false, max: 3 });
}

function nameOf(collection: CollectionName, index: number): string {
  if (collection === 'schedules') return cronOf(index);
  return collection === 'users' ? `torture-${index}@example.com` : `torture ${index}`;
}
