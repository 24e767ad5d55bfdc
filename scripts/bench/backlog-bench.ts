import { setTimeout as delay } from 'node:timers/promises';
import { generateDayOfLogLines } from '../../page/sample/generate-log-lines.ts';
import { startScenario } from '../call-service.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { measureCpu } from './process-cpu.ts';

const linesPerRequest = 1000;
const requestsPerSecond = 10;
/** Requests that are sent with the worker up. */
const comparedRequests = 300;
const senders = 4;
// `fetch` waits five minutes for a response.
const environment = { FLUSH_WAIT_MS: '60000' };
const seed = 20_261_124;

interface Processed {
  lines: number;
  /** Until all are processed: from the first request, or from the return of the worker. */
  linesPerSecond: number;
  /** CPU time of all processes for 1,000 lines, with that of sending if the worker is up. */
  cpuMsPerThousand: number;
}

interface BacklogFigures {
  /** The time of a read of the metrics with the whole backlog pending. */
  metricsMs: number;
  workerUp: Processed;
  backlog: Processed;
  /** Rate of the backlog beside that with the worker up. */
  ratio: number;
}

/**
 * Measures how fast a backlog is processed after the only worker was away, beside the same lines
 * sent with the worker up.
 * @throws Error if a line is lost or counted twice.
 */
export async function benchBacklog({
  minutes,
}: {
  minutes: number;
}): Promise<{ figures: BacklogFigures; tables: BenchTable[] }> {
  const secondsAway = 60 * minutes;
  const figures = await withBenchStack({}, (stack) => measure(stack, secondsAway), environment);
  const { workerUp, backlog, metricsMs, ratio } = figures;
  const row = (name: string, { lines, linesPerSecond, cpuMsPerThousand }: Processed) => [
    name,
    lines,
    Math.round(linesPerSecond),
    cpuMsPerThousand,
  ];
  const table: BenchTable = {
    title: `A backlog after ${Math.round(secondsAway)} s without a worker; its metrics were read in ${Math.round(metricsMs)} ms`,
    head: ['', 'lines', 'lines per second', 'CPU ms per 1,000 lines'],
    rows: [
      row('sent with the worker up', workerUp),
      row('backlog', backlog),
      ['ratio', '', ratio, backlog.cpuMsPerThousand / workerUp.cpuMsPerThousand],
    ],
  };
  return { figures, tables: [table] };
}

async function measure(stack: BenchStack, secondsAway: number): Promise<BacklogFigures> {
  const { url } = stack;
  const scenarioId = await startScenario(url);
  const bodies = Array.from({ length: 20 }, (_, at) => generateDayOfLogLines(seed + at, linesPerRequest).join('\n'));
  let sent = 0;
  const send = async () => {
    const body = bodies[sent % bodies.length] ?? '';
    sent += 1;
    const response = await fetch(`${url}/ingest/${scenarioId}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body,
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`POST /ingest responded with ${response.status}: ${text}`);
  };
  const processed = async (requests: number, begin: () => unknown): Promise<Processed> => {
    const started = performance.now();
    const { cpuMs } = await measureCpu(stack.processIds(), async () => {
      await begin();
      await flush(url);
    });
    const lines = requests * linesPerRequest;
    const total = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
    const seconds = (performance.now() - started) / 1000;
    return { lines, linesPerSecond: lines / seconds, cpuMsPerThousand: (1000 * total) / lines };
  };
  const sendAll = (requests: number) => {
    let left = requests;
    const sender = async () => {
      while (left > 0) {
        left -= 1;
        await send();
      }
    };
    return Promise.all(Array.from({ length: senders }, sender));
  };

  await processed(comparedRequests, () => sendAll(comparedRequests));
  // The first round has warmed up.
  const workerUp = await processed(comparedRequests, () => sendAll(comparedRequests));
  pause(stack);
  const sending = performance.now();
  const requests = Math.round(secondsAway * requestsPerSecond);
  for (let request = 0; request < requests; request += 1) {
    const due = sending + (1000 * request) / requestsPerSecond;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    await send();
  }
  const reading = performance.now();
  const { logs, pending_entries: pending } = await readTotals(url, scenarioId);
  const metricsMs = performance.now() - reading;
  // A worker that is stopped can have taken a batch.
  checkTotal(logs + pending, sent * linesPerRequest);
  const backlog = await processed(requests, () => resume(stack));
  checkTotal((await readTotals(url, scenarioId)).logs, sent * linesPerRequest);
  return { metricsMs, workerUp, backlog, ratio: backlog.linesPerSecond / workerUp.linesPerSecond };
}

const workerOf = (stack: BenchStack) => stack.processIds()['worker'] ?? Number.NaN;
const pause = (stack: BenchStack) => process.kill(workerOf(stack), 'SIGSTOP');
const resume = (stack: BenchStack) => process.kill(workerOf(stack), 'SIGCONT');

const longestFlushMs = 60 * 60 * 1000;

async function flush(url: string): Promise<void> {
  const limit = performance.now() + longestFlushMs;
  for (;;) {
    const { status } = await fetch(`${url}/flush`, { method: 'POST' });
    if (status === 200) return;
    // Entries are still being processed.
    if (status !== 503 || performance.now() > limit) throw new Error(`POST /flush responded with ${status}`);
    // A refusal can come at once.
    await delay(1_000);
  }
}

/** Waits while more usage is uncounted than a read merges. */
async function readTotals(url: string, scenarioId: string) {
  for (;;) {
    const response = await fetch(`${url}/api/v1/scenarios/${scenarioId}/metrics`);
    if (response.status === 200)
      return ((await response.json()) as { totals: Record<'logs' | 'pending_entries', number> }).totals;
    if (response.status !== 503) throw new Error(`GET metrics responded with ${response.status}`);
    await delay(1_000);
  }
}

function checkTotal(counted: number, expected: number): void {
  if (counted !== expected) throw new Error(`${expected} lines were accepted and ${counted} count`);
}
