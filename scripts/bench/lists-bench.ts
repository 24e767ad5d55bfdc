import { randomUUID } from 'node:crypto';
import { readConfig } from '../../shared/config/config.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { createModels, type Models } from '../../shared/models.ts';
import { type Scenario, scenarioStatuses, textKeyOf } from '../../shared/scenarios/scenario.model.ts';
import { registerAccount } from '../call-service.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { median } from './statistics.ts';

const sizes = [100, 1_000, 10_000, 100_000];
const requests = 15;
const scenariosPerInsert = 1_000;
/**
 * One of so many scenarios is in the rare region, one in the rare status, and one has the rare
 * word.
 */
const rarity = 10_000;

type Milliseconds = number;

/** The database has exceeded its time. */
class RefusedError extends Error {}

interface ListFigures {
  scenarios: number[];
  /** Medians, by the list and the number of scenarios; null if a request was refused. */
  lists: { list: string; milliseconds: (Milliseconds | null)[] }[];
}

/** Lists by their query. `last` and `middle` stand for the numbers of these pages. */
const lists: readonly (readonly [name: string, query: string])[] = [
  ['first page', ''],
  ['middle page', 'page=middle'],
  ['last page', 'page=last'],
  ['second-last page', 'page=second-last'],
  ['first page, archived too', 'include_archived=true'],
  ['last page, archived too', 'include_archived=true&page=last'],
  ['by name', 'sort_by=name&sort_order=asc'],
  ['by name, last page', 'sort_by=name&sort_order=asc&page=last'],
  ['by time of change', 'sort_by=updated_at'],
  ['by status', 'sort_by=status'],
  ['by status, middle page', 'sort_by=status&page=middle'],
  ['by status, last page', 'sort_by=status&page=last'],
  ['of a frequent status', 'status=draft'],
  ['of a frequent status, middle page', 'status=draft&page=middle'],
  ['of a rare status', 'status=running'],
  ['of a frequent region', 'region=eu-west-1'],
  ['of a frequent region, last page', 'region=eu-west-1&page=last'],
  ['of a rare region', 'region=us-east-1'],
  ['of a rare region and a status, by name', 'region=us-east-1&status=draft&sort_by=name'],
  ['search for a frequent word', 'search=season'],
  ['search for a rare word', 'search=unicorn'],
  ['search for an absent word', 'search=absent'],
];

/**
 * Measures pages of lists of scenarios, as an admin and as a member who sees a part of them, while
 * the scenarios become more.
 */
export async function benchLists(): Promise<{ figures: ListFigures; tables: BenchTable[] }> {
  const variables = { RATE_LIMIT_DEFAULT: '1000000000', ACCESS: 'own' };
  const figures = await withBenchStack({}, measure, variables);
  return { figures, tables: tablesOf(figures) };
}

async function measure(stack: BenchStack): Promise<ListFigures> {
  const config = readConfig(stack.environment);
  const mongo = await openMongo(config.mongodbUrl, { timeoutMs: config.mongodbTimeoutMs, role: 'worker' });
  try {
    const models = createModels(mongo);
    // The first account is an admin.
    const accounts = [
      { account: 'admin', ...(await registerAccount(stack.url, 'admin')) },
      { account: 'member', ...(await registerAccount(stack.url, 'member')) },
    ];
    const measured = new Map<string, (Milliseconds | null)[]>();
    let planted = 0;
    for (const size of sizes) {
      await plantScenarios(models, planted, size, [...accounts.map(({ id }) => id), null]);
      planted = size;
      for (const { account, headers } of accounts) {
        for (const [name, query] of lists) {
          const list = `${account}: ${name}`;
          const milliseconds = measured.get(list) ?? [];
          measured.set(list, milliseconds);
          milliseconds.push(await measureList(stack.url, query, headers).catch(nullIfRefused));
        }
      }
      console.error(`Measured ${size.toLocaleString('en-US')} scenarios.`);
    }
    return { scenarios: sizes, lists: [...measured].map(([list, milliseconds]) => ({ list, milliseconds })) };
  } finally {
    await mongo.close();
  }
}

async function measureList(url: string, query: string, headers: Record<string, string>): Promise<Milliseconds> {
  const parameters = new URLSearchParams(query);
  const position = parameters.get('page');
  const read = async () => {
    const response = await fetch(`${url}/api/v1/scenarios?${parameters.toString()}`, { headers });
    const text = await response.text();
    if (response.status === 503) throw new RefusedError();
    if (!response.ok) throw new Error(`GET ${response.url}: ${response.status} ${text}`);
    return JSON.parse(text) as { total: number; page_size: number };
  };
  if (position !== null) {
    parameters.delete('page');
    const { total, page_size: pageSize } = await read();
    const last = Math.max(1, Math.ceil(total / pageSize));
    const page = { middle: Math.ceil(last / 2), 'second-last': Math.max(1, last - 1), last }[position];
    parameters.set('page', String(page));
  }
  await read();
  const times: Milliseconds[] = [];
  for (let count = 0; count < requests; count += 1) {
    const started = performance.now();
    await read();
    times.push(performance.now() - started);
    // Slow lists need fewer requests.
    if (performance.now() - started > 100 && count >= 4) break;
  }
  return median(times);
}

function nullIfRefused(error: unknown): null {
  if (error instanceof RefusedError) return null;
  throw error;
}

/** Stores scenarios directly, because creating so many over HTTP takes many minutes. */
async function plantScenarios(
  { scenario }: Pick<Models, 'scenario'>,
  from: number,
  to: number,
  owners: readonly (string | null)[],
): Promise<void> {
  const regions = ['eu-west-1', 'eu-central-1', 'ap-southeast-2', 'us-west-2', 'sa-east-1'];
  const frequent = scenarioStatuses.filter((status) => status !== 'running');
  for (let start = from; start < to; start += scenariosPerInsert) {
    const rows = Array.from({ length: Math.min(scenariosPerInsert, to - start) }, (_, offset): Scenario => {
      const number = start + offset;
      const isRare = number % rarity === 7;
      // The order by name differs from the order of creation.
      const name = `Season ${(number * 7_919) % 1_000_003} of shop ${number}`;
      const description = `Traffic of the shop in the ${isRare ? 'unicorn' : 'usual'} weeks, with twice the entries of the year before.`;
      const status = isRare ? 'running' : (frequent[number % frequent.length] ?? 'draft');
      const at = new Date(Date.UTC(2026, 0, 1) + number * 60_000);
      return {
        _id: randomUUID(),
        name,
        nameKey: textKeyOf(name),
        description,
        descriptionKey: textKeyOf(description),
        region: isRare ? 'us-east-1' : (regions[number % regions.length] ?? 'eu-west-1'),
        status,
        assumptions: { function: { memory_mb: 512 } },
        createdBy: owners[number % owners.length] ?? null,
        revision: 1,
        createdAt: at,
        updatedAt: new Date(at.getTime() + ((number * 31) % 1_000) * 3_600_000),
        startedAt: status === 'draft' ? null : at,
        completedAt: status === 'completed' || status === 'archived' ? at : null,
        archivedAt: status === 'archived' ? at : null,
        deletedAt: null,
      };
    });
    await scenario.collection.insertMany(rows as never[]);
  }
}

function tablesOf({ scenarios, lists: rows }: ListFigures): BenchTable[] {
  return [
    {
      title: 'Lists of scenarios, milliseconds from the request to the response, by the number of scenarios',
      head: ['', ...scenarios.map((count) => count.toLocaleString('en-US'))],
      rows: rows.map(({ list, milliseconds }) => [list, ...milliseconds.map((one) => one ?? 'refused')]),
    },
  ];
}
