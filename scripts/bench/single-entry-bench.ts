import { generateDayOfLogLines } from '../../page/sample/generate-log-lines.ts';
import { startScenario } from '../call-service.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { median, percentile, sendLoad } from './load.ts';

const clients = 64;
const requests = 2000;
const rounds = 3;
const seed = 20_261_122;

/** As many jobs as requests, and all of them can wait. */
const environment = { INGEST_MAX_BACKLOG: '1000000', MAX_BODY_MEMORY_BYTES: String(512 * 1024 * 1024) };

interface Speed {
  /** Until all entries are processed. */
  entriesPerSecond: number;
  p50: number;
  p99: number;
}

interface SingleEntryFigures {
  merged: Speed;
  jobPerEntry: Speed;
  ratio: number;
}

/**
 * Measures requests of one entry each, as some log shippers send them: where those that arrive
 * together become one job and, as the baseline, where each of them becomes a job. Both get their
 * responses as soon as the entry is stored.
 */
export async function benchSingleEntries(): Promise<{ figures: SingleEntryFigures; tables: BenchTable[] }> {
  const bodies = generateDayOfLogLines(seed, requests).map((message) => Buffer.from(JSON.stringify({ message })));
  const figures = await withBenchStack({}, (stack) => measure(stack, bodies), environment);
  const row = (name: string, { entriesPerSecond, p50, p99 }: Speed) => [name, Math.round(entriesPerSecond), p50, p99];
  const table: BenchTable = {
    title: `One entry per request, ${clients} connections`,
    head: ['', 'entries per second, until processed', 'p50 ms', 'p99 ms'],
    rows: [
      row('merged into jobs', figures.merged),
      row('one job per entry', figures.jobPerEntry),
      ['ratio', figures.ratio, '', figures.merged.p99 / figures.jobPerEntry.p99],
    ],
  };
  return { figures, tables: [table] };
}

async function measure({ url }: BenchStack, bodies: readonly Buffer[]): Promise<SingleEntryFigures> {
  const scenarioId = await startScenario(url);
  const scenario = { 'X-Scenario-ID': scenarioId };
  const variants = {
    merged: { url: `${url}/ingest/${scenarioId}`, headers: {}, status: 200 },
    jobPerEntry: { url: `${url}/ingest`, headers: { ...scenario, Prefer: 'respond-async' }, status: 202 },
  };
  const run = async (name: keyof typeof variants): Promise<Speed> => {
    const started = performance.now();
    const { latencies } = await sendLoad({ ...variants[name], bodies, clients, requests });
    await processed(url, scenario);
    const seconds = (performance.now() - started) / 1000;
    return {
      entriesPerSecond: requests / seconds,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
    };
  };
  const speeds = { merged: [] as Speed[], jobPerEntry: [] as Speed[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['merged', 'jobPerEntry'] as const) {
      const speed = await run(name);
      // The first round warms up.
      if (round > 0) speeds[name].push(speed);
    }
  }
  const [merged, jobPerEntry] = [medians(speeds.merged), medians(speeds.jobPerEntry)];
  return { merged, jobPerEntry, ratio: merged.entriesPerSecond / jobPerEntry.entriesPerSecond };
}

const medians = (speeds: readonly Speed[]): Speed => ({
  entriesPerSecond: median(speeds.map(({ entriesPerSecond }) => entriesPerSecond)),
  p50: median(speeds.map(({ p50 }) => p50)),
  p99: median(speeds.map(({ p99 }) => p99)),
});

/** Waits until all entries are processed. */
async function processed(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${url}/flush`, { method: 'POST', headers });
    if (status === 200) return;
    if (status !== 503) throw new Error(`POST /flush responded with ${status}`);
  }
}
