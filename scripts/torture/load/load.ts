import { setTimeout as delay } from 'node:timers/promises';
import type { CollectionName } from '../history.ts';
import { initialValue } from '../judge/registers.ts';
import type { Account } from './account.ts';
import type { Client } from './client.ts';
import { sendEntries } from './entries.ts';
import { createItem, deleteItem, type Item } from './items.ts';

/** Running scenarios, and the items that the load reads, writes and deletes. */
export interface Targets {
  readonly scenarios: readonly string[];
  readonly notebooks: Item[];
  readonly deletable: Item[];
}

const scenarioCount = 3;

/** Creates the running scenarios that the load sends entries to. */
export async function createTargets(client: Client): Promise<Targets> {
  const scenarios: string[] = [];
  while (scenarios.length < scenarioCount) {
    const item = await createItem(client, 'scenarios', '', { isKeyed: true, max: 3 });
    if (!item) throw new Error('A scenario could not be created before the first fault.');
    const request = { method: 'POST', path: `/api/v1/scenarios/${item.id}/start` };
    await client.operate({ kind: 'start' }, request, { isKeyed: true, max: 3 });
    scenarios.push(item.id);
  }
  return { scenarios, notebooks: [], deletable: [] };
}

/** Sends one operation after the other until the signal aborts. */
export async function runLoad(
  client: Client,
  targets: Targets,
  account: Account,
  random: () => number,
  over: AbortSignal,
): Promise<void> {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  const scenario = () => pick(targets.scenarios) ?? '';
  const create = async (collection: CollectionName) => {
    const item = await createItem(client, collection, scenario(), {
      isKeyed: random() < 0.7,
      max: random() < 0.3 ? 1 : 4,
    });
    if (!item) return;
    // A scenario is deleted with its reports, so those of the targets stay.
    if (collection === 'notebooks' && random() < 0.3) targets.notebooks.push(item);
    else if (collection === 'keys' || random() < 0.5) targets.deletable.push(item);
  };
  const remove = async () => {
    const [item] = targets.deletable.splice(Math.floor(random() * targets.deletable.length), 1);
    if (item) await deleteItem(client, item);
  };
  const useNotebook = async (use: (client: Client, notebook: Item) => Promise<unknown>) => {
    const notebook = pick(targets.notebooks);
    if (notebook) await use(client, notebook);
  };
  const choices: readonly (readonly [weight: number, run: () => Promise<unknown>])[] = [
    [30, () => sendEntries(client, scenario(), random)],
    [10, () => readCount(client, scenario())],
    [8, () => writeScenario(client, scenario())],
    [16, () => readScenario(client, scenario())],
    [2, () => useNotebook(writeNotebook)],
    [2, () => useNotebook(readNotebook)],
    [3, () => create('notebooks')],
    [3, () => create('scenarios')],
    [2, () => create('reports')],
    [2, () => create('schedules')],
    [3, () => create('users')],
    [3, () => create('keys')],
    [8, remove],
  ];
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  while (!over.aborted) {
    let rest = random() * total;
    const [, run] = choices.find(([weight]) => (rest -= weight) < 0) ?? [0, remove];
    await run();
    await account.renew(client);
    await delay(50 + random() * 250);
  }
}

const once = { isKeyed: false, max: 1 };
const path = '/api/v2/scenarios';
let values = 0;

export async function readCount(client: Client, scenario: string): Promise<number | undefined> {
  const request = { method: 'GET', path: `/api/v1/scenarios/${scenario}/metrics` };
  type Metrics = { totals: { logs: number; pending_entries: number } };
  const seenIn = ({ totals }: Metrics) => ({ seen: totals.logs, pending: totals.pending_entries });
  const answer = await client.operate({ kind: 'count', scenario }, request, once, seenIn);
  return answer?.status === 200 ? seenIn(answer.body as Metrics).seen : undefined;
}

export async function readScenario(client: Client, scenario: string): Promise<number | undefined> {
  const request = { method: 'GET', path: `${path}/${scenario}` };
  const seenIn = ({ description }: { description: string | null }) => ({ seen: description ?? initialValue });
  return (await client.operate({ kind: 'read', register: `scenario ${scenario}` }, request, once, seenIn))?.status;
}

async function writeScenario(client: Client, scenario: string): Promise<void> {
  const value = nextValue();
  const body = JSON.stringify({ description: value });
  const request = { method: 'PUT', path: `${path}/${scenario}`, body };
  await client.operate({ kind: 'write', register: `scenario ${scenario}`, value }, request, once);
}

export async function readNotebook(client: Client, { id, name }: Item): Promise<number | undefined> {
  const request = { method: 'GET', path: `/api/v1/notebooks/${id}` };
  const seenIn = ({ data }: { data: { description: string | null } }) => ({ seen: data.description ?? initialValue });
  return (await client.operate({ kind: 'read', register: `notebook ${name}` }, request, once, seenIn))?.status;
}

async function writeNotebook(client: Client, { id, name }: Item): Promise<void> {
  const value = nextValue();
  const body = JSON.stringify({ description: value });
  const request = { method: 'PATCH', path: `/api/v1/notebooks/${id}`, body };
  await client.operate({ kind: 'write', register: `notebook ${name}`, value }, request, once);
}

function nextValue(): string {
  values += 1;
  return `value ${values}`;
}
