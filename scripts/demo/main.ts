import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { SingleBar } from 'cli-progress';
import { day, second } from '../../shared/durations.ts';
import { ApiClient } from './api-client.ts';
import { type DemoAccount, makeAccount, makeKey } from './demo-account.ts';
import { type DemoArguments, type DemoKey, parseDemoArguments, usage } from './demo-arguments.ts';
import { DemoError } from './demo-error.ts';
import { batchLines, longestMessage } from './log-batches.ts';
import { logLines } from './make-log-lines.ts';
import { type Metrics, metricsTables } from './metrics-tables.ts';
import { type InputLine, readLines } from './read-lines.ts';
import { sendBatch } from './send-batch.ts';

/** One Ctrl-C arrives twice under npm; a second one comes later than this. */
const echo = 0.5 * second;

/**
 * Runs the demo and ends the process: 0 when it went through, 130 when it was interrupted, 1 and one sentence otherwise.
 */
export async function runDemo(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<never> {
  try {
    const wanted = parseDemoArguments(args, environment);
    if (wanted.help) console.log(usage);
    else process.exitCode = (await demonstrate(wanted)) ? 0 : 130;
  } catch (error) {
    console.error(error instanceof DemoError ? error.message : `The demo failed: ${(error as Error).message}`);
    process.exit(1);
  }
  process.exit();
}

interface Scenario {
  id: string;
  name: string;
}

interface Sent {
  lines: number;
  skipped: number;
}

/** Finds a key, then creates, feeds, shows and stops a scenario. False when it was interrupted. */
async function demonstrate(wanted: DemoArguments): Promise<boolean> {
  const input = await openInput(wanted);
  const interrupt = interruptSignal();
  const sent: Sent = { lines: 0, skipped: 0 };
  let key: DemoKey | undefined;
  let scenario: Scenario | undefined;
  try {
    key = wanted.key ?? (await keyOfNewAccount(new ApiClient(wanted.url, interrupt)));
    const client = new ApiClient(wanted.url, interrupt, key?.value);
    scenario = await startScenario(client, wanted.region, input.name);
    const startedAt = Date.now();
    await sendAll(client, scenario.id, wanted.batch, input, { sent, signal: interrupt });
    await client.post('flush', { headers: { 'x-scenario-id': scenario.id } });
    const seconds = Math.max(Date.now() - startedAt, 1) / second;
    console.log(summary(sent, seconds));
    const { body } = await client.get<Metrics>(`api/v1/scenarios/${scenario.id}/metrics`);
    console.log(metricsTables(body));
    await client.post(`api/v1/scenarios/${scenario.id}/stop`);
    console.log(whereToLook(wanted.url, scenario, key));
    return true;
  } catch (error) {
    if (!interrupt.aborted) throw error;
    console.log(interrupted(wanted.url, scenario, sent, key));
    return false;
  }
}

/** None where registration is closed: there a service may still ask for no credentials. */
async function keyOfNewAccount(client: ApiClient): Promise<DemoKey | undefined> {
  const account = await makeAccount(client);
  // At once, before anything else may fail: nobody else knows the password.
  console.log(accountMade(account));
  if (account === undefined) return undefined;
  const value = await makeKey(client, account);
  return { value, shown: value };
}

interface Input {
  name: string;
  lines: AsyncIterable<InputLine> | Iterable<InputLine>;
  /** Of the progress bar: bytes of a file, or lines to make. */
  total: number;
  unit: 'bytes' | 'lines';
}

async function openInput(wanted: DemoArguments): Promise<Input> {
  const { file, seed, lines } = wanted;
  if (file === undefined) {
    const to = new Date();
    const made = logLines(seed, lines, new Date(to.getTime() - day), to);
    return { name: 'made lines', lines: asInput(made), total: lines, unit: 'lines' };
  }
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new DemoError(`--file ${file} can not be read (${error.code}).`);
  });
  if (!found.isFile()) throw new DemoError(`--file ${file} is no file.`);
  return { name: basename(file), lines: readLines(file, longestMessage), total: found.size, unit: 'bytes' };
}

function* asInput(lines: Iterable<string>): Generator<InputLine> {
  for (const text of lines) yield { text, bytes: Buffer.byteLength(text) };
}

async function startScenario(client: ApiClient, region: string, from: string): Promise<Scenario> {
  const name = `Demo ${new Date().toISOString().slice(0, 19)} ${randomBytes(3).toString('hex')}`;
  const description = `Made by npm run demo from ${from}`.slice(0, 500);
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
    for await (const batch of batchLines(input.lines, size, 'demo')) {
      const onBusy = () => bar.update({ note: ' | the service is busy, waiting' });
      if (batch.entries > 0) await sendBatch(client, scenarioId, batch.body, { signal, onBusy });
      sent.lines += batch.entries;
      sent.skipped += batch.skipped;
      const step = input.unit === 'bytes' ? batch.readBytes : batch.entries + batch.skipped;
      bar.increment(step, { lines: sent.lines.toLocaleString('en-US'), note: '' });
      signal.throwIfAborted();
    }
  } finally {
    bar.stop();
  }
}

function summary({ lines, skipped }: Sent, seconds: number): string {
  const rate = Math.round(lines / seconds).toLocaleString('en-US');
  const left = skipped === 0 ? '' : ` Skipped, as empty, over 256 KiB or with NUL: ${skipped.toLocaleString('en-US')}.`;
  return `${lines.toLocaleString('en-US')} lines sent and counted in ${seconds.toFixed(1)} s (${rate} a second).${left}\n`;
}

function accountMade(account: DemoAccount | undefined): string {
  if (account === undefined) return 'No account for the demo: registration is closed, so it goes on without one.\n';
  const { email, password, role } = account;
  const admin = 'It is the first account here and so the admin: keep this password, later accounts are members.\n';
  return `An account for the demo: ${email}, password ${password}\n${role === 'admin' ? admin : ''}`;
}

/** `curl` with the key, if there is one. */
function curl(key: DemoKey | undefined): string {
  return key === undefined ? 'curl' : `curl -H "X-API-Key: ${key.shown}"`;
}

function whereToLook(url: string, { id, name }: Scenario, key: DemoKey | undefined): string {
  return [
    '',
    `The scenario "${name}" is stopped and stays. Look next at`,
    `  ${curl(key)} ${url}/api/v1/scenarios/${id}/metrics`,
    `  ${url}/docs`,
    `  ${url}/admin/queues`,
  ].join('\n');
}

function interrupted(url: string, scenario: Scenario | undefined, { lines }: Sent, key: DemoKey | undefined): string {
  if (scenario === undefined) return 'Interrupted before anything was sent.';
  const stop = `${curl(key)} -X POST ${url}/api/v1/scenarios/${scenario.id}/stop`;
  return `Interrupted after ${lines.toLocaleString('en-US')} lines: the scenario "${scenario.name}" is still running, stop it with ${stop}`;
}

/** Aborted by the first Ctrl-C; the second one ends the process at once. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  process.on('SIGINT', () => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      controller.abort();
    } else if (Date.now() - firstAt > echo) {
      process.exit(130);
    }
  });
  return controller.signal;
}
