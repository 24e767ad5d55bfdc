import type { CollectionName } from '../history.ts';
import type { Client, Repeats, Request } from './client.ts';

/** Where a collection is, and what creates an item with a name. */
const collections: Readonly<Record<CollectionName, readonly [path: string, bodyOf: (name: string) => object]>> = {
  scenarios: ['/api/v1/scenarios', (name) => ({ name, region: 'eu-west-1' })],
  users: ['/api/v1/users', (name) => ({ email: `${name}@example.com` })],
  keys: ['/api/v1/api-keys', (name) => ({ name })],
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
  repeats: Repeats,
): Promise<Item | undefined> {
  created += 1;
  const name = `torture-${created}`;
  const [path, bodyOf] = collections[collection];
  const request: Request = { method: 'POST', path, body: JSON.stringify(bodyOf(name)) };
  const answer = await client.operate({ kind: 'create', collection, name }, request, repeats);
  if (answer === undefined || answer.status >= 300) return undefined;
  return { collection, name, id: (answer.body as Item).id };
}

export async function deleteItem(client: Client, { collection, name, id }: Item): Promise<void> {
  const request = { method: 'DELETE', path: `${collections[collection][0]}/${id}` };
  await client.operate({ kind: 'delete', collection, name }, request, { isKeyed: false, max: 3 });
}
