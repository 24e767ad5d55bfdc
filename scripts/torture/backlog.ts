import { setTimeout as delay } from 'node:timers/promises';
import { generateDayOfLogLines } from '../../shared/generate-log-lines.ts';
import { type BenchStack, withBenchStack } from '../bench/bench-stack.ts';
import { startScenario } from '../call-service.ts';
import { flushAll } from './faults.ts';

const linesPerBatch = 1000;
const senders = 4;
const seed = 20_261_124;
const bodies = 20;
const waitLimitMs = 60 * 60 * 1000;

/**
 * Sends a backlog while the only worker is frozen, empties Redis in its middle, and kills the
 * worker when it has processed a part.
 * @param batches of 1,000 lines: an hour at 10,000 lines a second has 36,000.
 * @throws Error if a line is lost or counted twice.
 */
export async function runBacklog(batches: number): Promise<void> {
  await withBenchStack((stack) => run(stack, batches));
}

async function run(stack: BenchStack, batches: number): Promise<void> {
  const { url } = stack;
  const scenario = await startScenario(url);
  const texts = Array.from({ length: bodies }, (_, at) => generateDayOfLogLines(seed + at, linesPerBatch).join('\n'));
  let sent = 0;
  const sendUntil = (end: number) => {
    const sender = async () => {
      while (sent < end) {
        sent += 1;
        const request = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: texts[sent % bodies] ?? '' };
        const response = await fetch(`${url}/ingest/${scenario}`, request);
        const text = await response.text();
        if (!response.ok) throw new Error(`POST /ingest responded with ${response.status}: ${text}`);
      }
    };
    return Promise.all(Array.from({ length: senders }, sender));
  };

  signalWorker(stack, 'SIGSTOP');
  await sendUntil(batches / 2);
  await flushAll(stack.environment['REDIS_URL'] ?? '');
  await sendUntil(batches);
  const { logs, pending_entries: pending } = await readTotals(url, scenario);
  // A worker that is stopped can have taken a batch.
  checkTotal(logs + pending, sent * linesPerBatch);
  console.log(`${pending.toLocaleString('en-US')} lines are pending after a FLUSHALL. The worker continues.`);

  const started = performance.now();
  signalWorker(stack, 'SIGCONT');
  while ((await readTotals(url, scenario)).logs < (logs + pending) / 4) await delay(500);
  signalWorker(stack, 'SIGKILL');
  await repeatWhile503(() => fetch(`${url}/flush`, { method: 'POST' }));
  checkTotal((await readTotals(url, scenario)).logs, sent * linesPerBatch);
  const rate = (sent * linesPerBatch * 1000) / (performance.now() - started);
  console.log(
    `Each of them counts once, with the worker killed; ${Math.round(rate).toLocaleString('en-US')} lines a second.`,
  );
}

function signalWorker(stack: BenchStack, signal: NodeJS.Signals): void {
  const { worker } = stack.processIds();
  if (worker === undefined) throw new Error('The worker is not running.');
  process.kill(worker, signal);
}

/** Waits for entries that are being processed, or for usage of which a read merges no more. */
async function repeatWhile503(send: () => Promise<Response>): Promise<Response> {
  for (const limit = performance.now() + waitLimitMs; ; await delay(1_000)) {
    const response = await send();
    if (response.ok) return response;
    if (response.status !== 503 || performance.now() > limit)
      throw new Error(`${response.url} responded with ${response.status}: ${await response.text()}`);
    await response.text();
  }
}

async function readTotals(url: string, scenario: string): Promise<Record<'logs' | 'pending_entries', number>> {
  const response = await repeatWhile503(() => fetch(`${url}/api/v1/scenarios/${scenario}/metrics`));
  return ((await response.json()) as { totals: Record<'logs' | 'pending_entries', number> }).totals;
}

function checkTotal(counted: number, expected: number): void {
  if (counted !== expected) throw new Error(`${expected} lines were accepted and ${counted} count`);
}
