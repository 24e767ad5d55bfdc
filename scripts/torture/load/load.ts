import { setTimeout as delay } from 'node:timers/promises';
import type { CollectionName } from '../history.ts';
import type { Client, Repeats, Request } from './client.ts';
import { sendEntries } from './entries.ts';

/** Running scenarios, and the items that the load deletes. */
export interface Targets {
  readonly scenarios: readonly string[];
  readonly deletable: Item[];
}

const scenarioCount = 3;

/** Creates the running scenarios that the load sends entries to. */
export async function createTargets(client: Client): Promise<Targets> {
  const scenarios: string[] = [];
  while (scenarios.length < scenarioCount) {
    const item = await createItem(client, 'scenarios', { isKeyed: true, max: 3 });
    if (!item) throw new Error('A scenario could not be created before the first fault.');
    const request = { method: 'POST', path: `/api/v1/scenarios/${item.id}/start` };
    await client.operate({ kind: 'start' }, request, { isKeyed: false, max: 3 });
    scenarios.push(item.id);
  }
  return { scenarios, deletable: [] };
}

/** Sends one operation after the other until the signal aborts. */
export async function runLoad(
  client: Client,
  targets: Targets,
  random: () => number,
  over: AbortSignal,
): Promise<void> {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  const scenario = () => pick(targets.scenarios) ?? '';
  const create = async (collection: CollectionName) => {
    const repeats = { isKeyed: random() < 0.7, max: random() < 0.3 ? 1 : 4 };
    const item = await createItem(client, collection, repeats);
    if (item && random() < 0.7) targets.deletable.push(item);
  };
  const remove = async () => {
    const [item] = targets.deletable.splice(Math.floor(random() * targets.deletable.length), 1);
    if (item) await deleteItem(client, item);
  };
  const choices: readonly (readonly [weight: number, run: () => Promise<unknown>])[] = [
    [30, () => sendEntries(client, scenario(), random)],
    [12, () => readCount(client, scenario())],
    [5, () => create('scenarios')],
    [4, () => create('users')],
    [4, () => create('keys')],
    [8, remove],
  ];
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  while (!over.aborted) {
    let rest = random() * total;
    const [, run] = choices.find(([weight]) => (rest -= weight) < 0) ?? [0, remove];
    await run();
    await client.renewToken();
    await delay(50 + random() * 250);
  }
}

export async function readCount(client: Client, scenario: string): Promise<number | undefined> {
  const request = { method: 'GET', path: `/api/v1/scenarios/${scenario}/metrics` };
  type Metrics = { totals: { logs: number; pending_entries: number } };
  const seenIn = ({ totals }: Metrics) => ({ seen: totals.logs, pending: totals.pending_entries });
  const answer = await client.operate({ kind: 'count', scenario }, request, { isKeyed: false, max: 1 }, seenIn);
  return answer?.status === 200 ? seenIn(answer.body as Metrics).seen : undefined;
}

/** Where a collection is, and what creates an item with a name. */
const collections: Readonly<Record<CollectionName, readonly [path: string, bodyOf: (name: string) => object]>> = {
  scenarios: ['/api/v1/scenarios', (name) => ({ name, region: 'eu-west-1' })],
  users: ['/api/v1/users', (name) => ({ email: `${name}@example.com` })],
  keys: ['/api/v1/api-keys', (name) => ({ name })],
};

interface Item {
  readonly collection: CollectionName;
  readonly name: string;
  readonly id: string;
}

let created = 0;

/** Creates an item with a name of its own. @returns it if that was acknowledged. */
async function createItem(client: Client, collection: CollectionName, repeats: Repeats): Promise<Item | undefined> {
  created += 1;
  const name = `torture-${created}`;
  const [path, bodyOf] = collections[collection];
  const request: Request = { method: 'POST', path, body: JSON.stringify(bodyOf(name)) };
  const answer = await client.operate({ kind: 'create', collection, name }, request, repeats);
  if (answer === undefined || answer.status >= 300) return undefined;
  return { collection, name, id: (answer.body as Item).id };
}

async function deleteItem(client: Client, { collection, name, id }: Item): Promise<void> {
  const request = { method: 'DELETE', path: `${collections[collection][0]}/${id}` };
  await client.operate({ kind: 'delete', collection, name }, request, { isKeyed: false, max: 3 });
}
