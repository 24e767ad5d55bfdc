import type { CollectionName } from '../history.ts';
import type { Client, Request } from './client.ts';

/** A collection of the API: how its items are created, deleted and listed. */
interface Collection {
  readonly path: string;
  readonly create: (name: string, scenario: string) => { path?: string; body: object };
  readonly idOf: (body: never) => string;
  /** The items of a page of the list, by their names. */
  readonly namesOf: (page: never) => string[];
  readonly pageQuery: (page: number) => string;
}

interface Page<Item> {
  items: Item[];
}
const pageQuery = (page: number) => `?page=${page}&page_size=${pageSize}`;
const idOf = ({ id }: { id: string }) => id;
export const pageSize = 100;

/** A schedule has no name, but a time of its own, which is none of the next hours. */
const cronOf = (index: number) =>
  `${index % 60} ${Math.floor(index / 60) % 24} ${1 + (Math.floor(index / 1440) % 28)} 1 *`;

export const itemKinds: Readonly<Record<CollectionName, Collection>> = {
  scenarios: {
    path: '/api/v1/scenarios',
    create: (name) => ({ body: { name, region: 'eu-west-1' } }),
    idOf,
    namesOf: ({ items }: Page<{ name: string }>) => items.map(({ name }) => name),
    pageQuery,
  },
  notebooks: {
    path: '/api/v1/notebooks',
    create: (title) => ({ body: { title, description: '' } }),
    idOf: ({ data }: { data: { id: string } }) => data.id,
    namesOf: ({ data }: { data: Page<{ title: string }> }) => data.items.map(({ title }) => title),
    pageQuery: (page) => `?offset=${(page - 1) * pageSize}&limit=${pageSize}`,
  },
  reports: {
    path: '/api/v1/reports',
    create: (title, scenario) => ({ path: `/api/v1/scenarios/${scenario}/reports`, body: { format: 'csv', title } }),
    idOf,
    namesOf: ({ items }: Page<{ title: string }>) => items.map(({ title }) => title),
    pageQuery,
  },
  schedules: {
    path: '/api/v1/report-schedules',
    create: (cron, scenario) => ({ body: { scenario_id: scenario, format: 'csv', cron } }),
    idOf,
    namesOf: ({ items }: Page<{ cron: string }>) => items.map(({ cron }) => cron),
    pageQuery,
  },
  users: {
    path: '/api/v1/users',
    create: (email) => ({ body: { email } }),
    idOf,
    namesOf: ({ items }: Page<{ email: string }>) => items.map(({ email }) => email),
    pageQuery,
  },
  keys: {
    path: '/api/v1/api-keys',
    create: (name) => ({ body: { name } }),
    idOf,
    namesOf: ({ items }: Page<{ name: string }>) => items.map(({ name }) => name),
    pageQuery,
  },
};

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
  repeats: { isKeyed: boolean; max: number },
): Promise<Item | undefined> {
  created += 1;
  const name = nameOf(collection, created);
  const kind = itemKinds[collection];
  const { path = kind.path, body } = kind.create(name, scenario);
  const request: Request = { method: 'POST', path, body: JSON.stringify(body) };
  const answer = await client.operate({ kind: 'create', collection, name }, request, repeats);
  if (answer === undefined || answer.status >= 300) return undefined;
  return { collection, name, id: kind.idOf(answer.body as never) };
}

export async function deleteItem(client: Client, { collection, name, id }: Item): Promise<void> {
  const request = { method: 'DELETE', path: `${itemKinds[collection].path}/${id}` };
  await client.operate({ kind: 'delete', collection, name }, request, { isKeyed: false, max: 3 });
}

function nameOf(collection: CollectionName, index: number): string {
  if (collection === 'schedules') return cronOf(index);
  return collection === 'users' ? `torture-${index}@example.com` : `torture ${index}`;
}
