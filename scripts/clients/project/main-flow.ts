// The main flow of the service by a generated client: a scenario, its entries and its metrics, and
// a notebook.
import process from 'node:process';
import createClient from 'openapi-fetch';
import type { paths } from './0.2.0/openapi-typescript.ts';

const [baseUrl = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl });

const scenario = take(
  await client.POST('/api/v1/scenarios', { body: { name: 'Generated client', region: 'eu-west-1' } }),
);
take(await client.POST('/api/v1/scenarios/{id}/start', { params: { path: { id: scenario.id } } }));
const lines = ['GET /cart 200', 'GET /checkout 200', 'POST /orders 201'];
const ingested = take(
  await client.POST('/ingest', {
    params: { header: { 'X-Scenario-ID': scenario.id } },
    body: lines.map((message, index) => ({ message, timestamp: `2026-05-01T10:0${index}:00Z`, level: 'info' })),
  }),
);
if (!('accepted' in ingested) || ingested.accepted !== lines.length) throw new Error('not every entry is accepted');
const metrics = take(
  await client.GET('/api/v1/scenarios/{id}/metrics', {
    params: { path: { id: scenario.id }, query: { interval: 'hour', limit: 10 } },
  }),
);
if (metrics.totals.logs !== lines.length) throw new Error(`${metrics.totals.logs} logs are counted`);
const designs = take(
  await client.POST('/api/v1/scenarios/{id}/designs', {
    params: { path: { id: scenario.id } },
    body: { volume: { entries_per_month: 1_000_000 } },
  }),
);
const listed = take(
  await client.GET('/api/v2/scenarios', { params: { query: { search: 'generated', page_size: 5 } } }),
);
const notebook = take(await client.POST('/api/v1/notebooks', { body: { title: 'Generated client' } }));
const { error } = await client.GET('/api/v1/notebooks/{notebook_id}', {
  params: { path: { notebook_id: crypto.randomUUID() } },
});
if (error?.error.code !== 'NOT_FOUND') throw new Error('an absent notebook is not NOT_FOUND');

console.log(
  `  ${metrics.totals.logs} entries, ${metrics.totals.cost} USD; a million a month: ${designs.present.month?.total} USD`,
);
console.log(`  ${listed.total} scenario found, notebook "${notebook.data.title}" created`);

function take<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}
