import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { SingleBar } from 'cli-progress';
import { day, second } from '../../shared/durations.ts';
import { ApiClient } from './api-client.ts';
import { createKey, registerAccount } from './demo-account.ts';
import { type DemoArguments, type DemoKey, parseDemoArguments, usage } from './demo-arguments.ts';
import { DemoError } from './demo-error.ts';
import {
  formatAccount,
  formatInterruption,
  formatNextSteps,
  formatReports,
  formatSummary,
  type Scenario,
  type Sent,
} from './demo-messages.ts';
import { generateLogLines } from './generate-log-lines.ts';
import { batchLines, maxMessageBytes } from './log-batches.ts';
import { type Metrics, metricsTables } from './metrics-tables.ts';
import {
  type Designs,
  designsTable,
  type Projection,
  projectionTable,
  type RegionEstimates,
  regionsTable,
} from './outlook-tables.ts';
import { type InputLine, readLines } from './read-lines.ts';
import { saveReports } from './save-reports.ts';
import { sendBatch } from './send-batch.ts';

/** Under npm, one Ctrl-C arrives twice. A signal after this time is a second Ctrl-C. */
const duplicateSignalTime = 0.5 * second;

/**
 * Runs the demo and exits the process: with 0 on success, with 130 if interrupted, otherwise with 1
 * and one sentence.
 */
export async function runDemo(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<never> {
  try {
    const options = parseDemoArguments(args, environment);
    if (options.help) console.log(usage);
    else process.exitCode = (await runScenario(options)) ? 0 : 130;
  } catch (error) {
    console.error(error instanceof DemoError ? error.message : `The demo failed: ${(error as Error).message}`);
    process.exit(1);
  }
  process.exit();
}

/** The volume of the projection if there is no rate. */
const otherwisePerMonth = 1_000_000;

/**
 * Creates a scenario, sends it the input, prints its metrics and stops it. @returns false if
 * interrupted.
 */
async function runScenario(options: DemoArguments): Promise<boolean> {
  const input = await openInput(options);
  const interrupt = createInterruptSignal();
  const sent: Sent = { lines: 0, entries: 0, skipped: 0 };
  let key: DemoKey | undefined;
  let scenario: Scenario | undefined;
  try {
    key = options.key ?? (await createAccountWithKey(new ApiClient(options.url, interrupt)));
    const client = new ApiClient(options.url, interrupt, key?.value);
    scenario = await startScenario(client, options.region, input.name);
    const startedAt = Date.now();
    await sendAll(client, scenario.id, options.batch, input, { sent, signal: interrupt });
    await client.post('flush', { headers: { 'x-scenario-id': scenario.id } });
    const seconds = Math.max(Date.now() - startedAt, 1) / second;
    console.log(formatSummary(sent, seconds));
    const { body } = await client.get<Metrics>(`api/v1/scenarios/${scenario.id}/metrics`);
    console.log(metricsTables(body));
    console.log(`\n${await outlook(client, scenario.id)}`);
    await client.post(`api/v1/scenarios/${scenario.id}/stop`);
    console.log(`\n${formatReports(await saveReports(client, scenario, options.out))}`);
    console.log(formatNextSteps(options.url, scenario, key));
    return true;
  } catch (error) {
    if (!interrupt.aborted) throw error;
    console.log(formatInterruption(options.url, scenario, sent, key));
    return false;
  }
}

/** The cost of a month at the observed rate, with other designs and in other regions, as tables. */
async function outlook(client: ApiClient, scenarioId: string): Promise<string> {
  const path = `api/v1/scenarios/${scenarioId}`;
  const observed = await client.get<Projection>(`${path}/projection`, { accept: [409] });
  // Entries of less than one hour have no rate.
  const { body: projection } =
    observed.status === 409
      ? await client.get<Projection>(`${path}/projection?entries_per_month=${otherwisePerMonth}`)
      : observed;
  const { body: regions } = await client.get<RegionEstimates>(`${path}/estimate/regions`);
  const { body: designs } = await client.post<Designs>(`${path}/designs`);
  return [projectionTable(projection), designsTable(designs), regionsTable(regions)].join('\n\n');
}

/**
 * Undefined if registration is closed. The demo then continues, because some services require no
 * credentials.
 */
async function createAccountWithKey(client: ApiClient): Promise<DemoKey | undefined> {
  const account = await registerAccount(client);
  // The password is printed before any other step can fail, because it is stored nowhere else.
  console.log(formatAccount(account));
  if (account === undefined) return undefined;
  const value = await createKey(client, account);
  return { value, shown: value };
}

interface Input {
  name: string;
  lines: AsyncIterable<InputLine> | Iterable<InputLine>;
  /** Length of the progress bar: bytes of the file, or number of generated lines. */
  total: number;
  unit: 'bytes' | 'lines';
}

async function openInput(options: DemoArguments): Promise<Input> {
  const { file, seed, lines } = options;
  if (file === undefined) {
    const to = new Date();
    const generated = generateLogLines(seed, lines, new Date(to.getTime() - day), to);
    return { name: 'generated lines', lines: toInputLines(generated), total: lines, unit: 'lines' };
  }
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new DemoError(`--file ${file} cannot be read (${error.code}).`);
  });
  if (!found.isFile()) throw new DemoError(`--file ${file} is not a file.`);
  return { name: basename(file), lines: readLines(file, maxMessageBytes), total: found.size, unit: 'bytes' };
}

function* toInputLines(lines: Iterable<string>): Generator<InputLine> {
  for (const text of lines) yield { text, bytes: Buffer.byteLength(text) };
}

async function startScenario(client: ApiClient, region: string, from: string): Promise<Scenario> {
  const name = `Demo ${new Date().toISOString().slice(0, 19)} ${randomBytes(3).toString('hex')}`;
  const description = `Created by npm run demo from ${from}`.slice(0, 500);
  const { body } = await client.post<Scenario>('api/v1/scenarios', { body: { name, region, description } });
  await client.post(`api/v1/scenarios/${body.id}/start`);
  return body;
}

async function sendAll(
  client: ApiClient,
  scenarioId: string,
  size: number,
  input: Input,
  { sent, signal }: { sent: Sent; signal: AbortSignal },
): Promise<void> {
  const bar = new SingleBar({
    format: `Sending {bar} {percentage}% | {lines} lines{note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: false,
  });
  bar.start(input.total, 0, { lines: 0, note: '' });
  try {
    for await (const batch of batchLines(input.lines, size)) {
      const onBusy = () => bar.update({ note: ' | the service is busy, waiting' });
      if (batch.lines > 0) sent.entries += await sendBatch(client, scenarioId, batch.body, { signal, onBusy });
      sent.lines += batch.lines;
      sent.skipped += batch.skipped;
      const step = input.unit === 'bytes' ? batch.readBytes : batch.lines + batch.skipped;
      bar.increment(step, { lines: sent.lines.toLocaleString('en-US'), note: '' });
      signal.throwIfAborted();
    }
  } finally {
    bar.stop();
  }
}

/** Creates a signal that the first Ctrl-C aborts. The second Ctrl-C ends the process at once. */
function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  process.on('SIGINT', () => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      controller.abort();
    } else if (Date.now() - firstAt > duplicateSignalTime) {
      process.exit(130);
    }
  });
  return controller.signal;
}
