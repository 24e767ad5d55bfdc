import { Agent, request } from 'node:http';
import { startScenario } from '../call-service.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { percentile } from './statistics.ts';
import { withPacedLoad } from './with-paced-load.ts';

const rounds = 6;
const requestsPerRound = 400;
const warmUp = 1500;

interface Latency {
  p50: number;
  p99: number;
}

/** Latency of reading a notebook, one request after the other. */
interface ReadFigures {
  throughQueueMs: Latency;
  directMs: Latency;
  addedAtMedianMs: number;
}

interface NotebookFigures {
  quiet: ReadFigures;
  /** Beside ingest at a fixed rate, of which so many lines per second got their responses. */
  beside: ReadFigures & { linesPerSecond: number };
}

const ingestLoad = { linesPerSecond: 10_000, linesPerBatch: 1_000 };

/**
 * Measures GET of a notebook through the service (request, queue, worker, backend and back), and
 * the same GET sent to the backend directly: on a quiet stack, and beside ingest. The requests
 * alternate, so that other load of the machine affects both measurements.
 */
export async function benchNotebooks(): Promise<{ figures: NotebookFigures; tables: BenchTable[] }> {
  const figures = await withBenchStack({}, measure);
  return { figures, tables: [tableOf('on a quiet stack', figures.quiet), besideTable(figures.beside)] };
}

async function measure({ url, notebookBackend }: BenchStack): Promise<NotebookFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const id = await createNotebook(url);
  const throughQueue = () => get(`${url}/api/v1/notebooks/${id}`, agent, {});
  const authorization = { Authorization: `Bearer ${notebookBackend.token}` };
  const directly = () => get(`${notebookBackend.url}/notebooks/${id}`, agent, authorization);
  const compare = async (): Promise<ReadFigures> => {
    const latencies = { through: [] as number[], directly: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      latencies.through.push(...(await timed(throughQueue, requestsPerRound)));
      latencies.directly.push(...(await timed(directly, requestsPerRound)));
    }
    const throughQueueMs = latencyOf(latencies.through);
    const directMs = latencyOf(latencies.directly);
    return { throughQueueMs, directMs, addedAtMedianMs: throughQueueMs.p50 - directMs.p50 };
  };
  try {
    await timed(throughQueue, warmUp);
    await timed(directly, warmUp);
    const quiet = await compare();
    const scenarioId = await startScenario(url);
    const beside = await withPacedLoad({ url, scenarioId, ...ingestLoad }, async () => {
      await timed(throughQueue, warmUp);
      return compare();
    });
    return { quiet, beside: { ...beside.result, linesPerSecond: beside.linesPerSecond } };
  } finally {
    agent.destroy();
  }
}

async function createNotebook(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/notebooks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'bench', description: 'read repeatedly' }),
  });
  if (!response.ok)
    throw new Error(`POST /api/v1/notebooks responded with ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

async function timed(send: () => Promise<void>, requests: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let count = 0; count < requests; count += 1) {
    const started = performance.now();
    await send();
    latencies.push(performance.now() - started);
  }
  return latencies;
}

function latencyOf(latencies: number[]): Latency {
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}

function get(url: string, agent: Agent, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} responded with ${response.statusCode}`));
      });
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const besideTable = (figures: NotebookFigures['beside']) =>
  tableOf(`beside ingest of ${Math.round(figures.linesPerSecond)} lines per second`, figures);

function tableOf(state: string, { throughQueueMs, directMs, addedAtMedianMs }: ReadFigures): BenchTable {
  return {
    title: `GET of a notebook ${state}, one client, milliseconds`,
    head: ['', 'p50', 'p99'],
    rows: [
      ['through the queue', throughQueueMs.p50, throughQueueMs.p99],
      ['the backend directly', directMs.p50, directMs.p99],
      ['added at the median', addedAtMedianMs, ''],
    ],
  };
}
