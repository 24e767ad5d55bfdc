import { randomBytes, randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import type { Designs } from '../../api/cost/designs.schema.ts';
import type { Metrics } from '../../api/cost/metrics.schema.ts';
import { formatFineUsd, formatNumber } from '../../shared/amounts.ts';
import { costSentence, type SentenceInput, sentenceText } from '../../shared/cost/cost-sentence.ts';
import { nameOfDesign } from '../../shared/cost/pipeline/standard-designs.ts';
import { day, second } from '../../shared/durations.ts';
import { generateLogLines } from '../../shared/generate-log-lines.ts';
import { cutLines } from '../../shared/ingest/text-lines/cut-lines.ts';

const help = `Usage: npm run demo -- [--file app.log | --lines 3000] [--region eu-west-1] [--url http://127.0.0.1:3000]

Sends the lines of a file, or generated ones, to a running service and prints what they cost. It registers an
account, unless METERBOOK_API_KEY is a key with the scopes scenarios:read, scenarios:write and ingest.`;

/** @throws Error with one sentence. */
export async function runDemo(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { file: text, lines: text, region: text, url: text, help: { type: 'boolean', short: 'h' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const { file, lines = '3000', region = 'eu-west-1', url } = values;
  if (values.help) return console.log(help);
  const base = (url ?? `http://127.0.0.1:${environment['PORT'] || 3000}`).replace(/\/+$/, '');
  const log = file === undefined ? generatedLog(Number(lines)) : await openLog(file);
  const call = createClient(base, environment['METERBOOK_API_KEY'] || (await registerKey(createClient(base))));

  const name = `Demo ${new Date().toISOString().slice(0, 19)} ${randomBytes(3).toString('hex')}`;
  const description = `Created by npm run demo from ${file ? basename(file) : 'generated lines'}`.slice(0, 500);
  const { id } = await call<{ id: string }>('POST', 'api/v1/scenarios', { name, description, region });
  const path = `api/v1/scenarios/${id}`;
  await call('POST', `${path}/start`);
  await send(call, id, log);
  await call('POST', `${path}/stop`);

  const metrics = await call<Metrics>('GET', `${path}/metrics?interval=day&limit=1`);
  const explanation = await call<SentenceInput['explanation']>('GET', `${path}/metrics/explain`);
  const designs = await call<Designs>('POST', `${path}/designs`);
  const { items: models } = await call<{ items: SentenceInput['models'] }>('GET', 'api/v1/models');
  console.log(`\n${sentenceText(costSentence({ metrics, explanation, designs, models }))}\n`);
  console.log(`${servicesTable(metrics)}\n\n${designsTable(designs)}\n`);
  console.log(`In the page:       ${base}/#/scenarios/${id}\nAPI documentation: ${base}/docs`);
}

type Call = <Body>(method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Body>;

/** After a 429 or 503, a request is sent again at the time that the service names. */
function createClient(url: string, key?: string): Call {
  return async (method, path, body, headers) => {
    for (;;) {
      const response = await fetch(`${url}/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }), ...headers },
        ...(body && { body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body) }),
      }).catch(() => {
        throw new Error(`The service is unreachable at ${url}: start it with npm start, or set --url.`);
      });
      const result = (await response.json().catch(() => ({}))) as never;
      if (response.ok) return result;
      if (![429, 503].includes(response.status)) {
        const { error } = result as { error?: { message: string } };
        const reason = error?.message ?? 'Is this Meterbook?';
        const hint = response.status === 401 ? ' Set an API key in METERBOOK_API_KEY.' : '';
        throw new Error(`${method} /${path} failed with ${response.status}: ${reason}${hint}`);
      }
      await delay(Number(response.headers.get('retry-after') ?? 1) * second);
    }
  };
}

/** Registers an account with a key for a day. @returns undefined if registration is closed. */
async function registerKey(call: Call): Promise<string | undefined> {
  const email = `demo-${randomBytes(6).toString('hex')}@example.com`;
  const account = { email, password: randomBytes(12).toString('base64url') };
  try {
    const body = { ...account, role: 'member' };
    const { access_token: token } = await call<{ access_token: string }>('POST', 'api/v1/auth/register', body);
    console.log(`Registered an account for the demo: ${email}, password ${account.password}`);
    const scopes = ['scenarios:read', 'scenarios:write', 'ingest'];
    const key = { name: 'Demo', scopes, expires_at: new Date(Date.now() + day).toISOString() };
    return (await call<{ key: string }>('POST', 'api/v1/api-keys', key, { authorization: `Bearer ${token}` })).key;
  } catch (error) {
    if (!(error as Error).message.includes('failed with 403')) throw error;
    console.log('Registration is closed: the demo continues without an account.');
    return undefined;
  }
}

function generatedLog(count: number): Blob {
  const to = new Date();
  return new Blob([[...generateLogLines(1, count, new Date(to.getTime() - day), to)].join('\n')]);
}

async function openLog(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch {
    throw new Error(`--file ${file} cannot be read.`);
  }
}

const batchBytes = 512 * 1024;

async function send(call: Call, id: string, log: Blob): Promise<void> {
  const bar = new SingleBar({ format: 'Sending {bar} {percentage}% | {entries} entries', hideCursor: true });
  bar.start(log.size, 0, { entries: 0 });
  let entries = 0;
  const startOf = (head: string) => (/^\s/.test(head) ? 'continuation' : 'entry');
  for await (const { bytes } of cutLines(log.stream(), batchBytes, startOf)) {
    // With the key, a body that is sent again is counted once.
    const headers = { 'content-type': 'text/plain', 'idempotency-key': randomUUID() };
    entries += (await call<{ accepted: number }>('POST', `ingest/${id}?join=trace`, bytes, headers)).accepted;
    bar.increment(bytes.length, { entries: formatNumber(entries) });
  }
  await call('POST', 'flush', undefined, { 'x-scenario-id': id });
  bar.stop();
}

function servicesTable({ cost_breakdown: services, totals }: Metrics): string {
  const inWords = (usage: object) =>
    Object.entries(usage)
      .map(([name, value]) => `${formatNumber(value as string)} ${name.replace('gb_', 'GB-').replaceAll('_', ' ')}`)
      .join(', ');
  return table(
    ['Service', 'Cost', 'Usage'],
    [
      ...services.map(({ service, usage, cost }) => [service, formatFineUsd(cost), inWords(usage)]),
      ['total', formatFineUsd(totals.cost), `${formatNumber(totals.logs)} entries`],
    ],
  );
}

function designsTable({ items, cheapest }: Designs): string {
  const rows = items.map(({ name, cost, month }) => {
    const shown = `${nameOfDesign(name)}${name === cheapest ? ', the cheapest' : ''}`;
    return [shown, formatFineUsd(cost.total), month ? formatFineUsd(month.total) : 'no rate'];
  });
  return table(['Design', 'These entries', 'Per month'], rows);
}

function table(head: string[], rows: string[][]): string {
  const drawn = new Table({ head, style: { head: [], border: [], compact: true } });
  drawn.push(...rows);
  return drawn.toString();
}
