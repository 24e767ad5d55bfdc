import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { generateDayOfLogLines } from '../../page/sample/generate-log-lines.ts';
import { startScenario } from '../call-service.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { bodiesOf, type IngestRound, measureRound, mediansOf } from './ingest-rounds.ts';
import { sendLoad } from './load.ts';
import type { CpuTimes } from './process-cpu.ts';
import { percentile } from './statistics.ts';

const clients = 8;
const batchSizes = [100, 1000] as const;
/** Service and baseline alternate, so that a change in the speed of the machine affects both. */
const rounds = 5;
const linesPerRound = 40_000;
const singleEntries = 1500;
const firstSeed = 20_261_121;

interface IngestFigures {
  batches: Record<number, BatchFigures>;
  /**
   * One entry per request and one client, in milliseconds: the first requests of a new stack, and
   * after all batches.
   */
  singleEntryMs: { fresh: Latency; warm: Latency };
  peakMemoryMb: { web: number | null; worker: number | null };
}

/** Medians of the rounds. */
interface BatchFigures {
  linesPerSecond: number;
  /** CPU milliseconds per 1,000 lines, by process. */
  cpuMs: CpuTimes;
  totalCpuMs: number;
  /** Figures of a server that shares nothing with the service; see bare-server.ts. */
  bare: { linesPerSecond: number; cpuMs: number };
}

interface Latency {
  p50: number;
  p99: number;
}

/**
 * Measures ingest end to end, on lines that were never sent before, beside a server that shows the
 * speed of the machine.
 */
export async function benchIngest(): Promise<{ figures: IngestFigures; tables: BenchTable[] }> {
  const figures = await withBareServer((bare) => withBenchStack({}, (service) => measure(service, bare)));
  return { figures, tables: tablesOf(figures) };
}

async function measure(service: BenchStack, bare: { url: string; pid: number }): Promise<IngestFigures> {
  const headers = { 'X-Scenario-ID': await startScenario(service.url) };
  const url = `${service.url}/ingest`;
  let seed = firstSeed;
  const newLines = (count: number) => {
    seed += 1;
    return generateDayOfLogLines(seed, count);
  };
  const measureSingles = async (): Promise<Latency> => {
    const bodies = newLines(singleEntries).map((message) => Buffer.from(JSON.stringify({ message })));
    const { latencies } = await sendLoad({ url, headers, bodies, clients: 1, requests: bodies.length, status: 200 });
    return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
  };

  const fresh = await measureSingles();
  const batches: Record<number, BatchFigures> = {};
  for (const size of batchSizes) {
    const measured = { service: [] as IngestRound[], bare: [] as IngestRound[] };
    for (let round = 0; round <= rounds; round += 1) {
      const load = {
        bodies: bodiesOf(newLines(linesPerRound), size),
        clients,
        requests: linesPerRound / size,
        status: 200,
      };
      const { web, worker, store, redis } = service.processIds();
      const pids = { web, worker, store, redis } as Record<string, number>;
      const ofService = await measureRound(pids, linesPerRound, { ...load, url, headers });
      const ofBare = await measureRound({ bare: bare.pid }, linesPerRound, { ...load, url: bare.url, headers: {} });
      // The first round warms up.
      if (round === 0) continue;
      measured.service.push(ofService);
      measured.bare.push(ofBare);
    }
    const { linesPerSecond, cpuMs } = mediansOf(measured.service);
    const ofBare = mediansOf(measured.bare);
    batches[size] = {
      linesPerSecond,
      cpuMs,
      totalCpuMs: Object.values(cpuMs).reduce((sum, value) => sum + value, 0),
      bare: { linesPerSecond: ofBare.linesPerSecond, cpuMs: ofBare.cpuMs['bare'] ?? Number.NaN },
    };
  }
  const peakMemoryMb = await service.memory();
  return { batches, singleEntryMs: { fresh, warm: await measureSingles() }, peakMemoryMb };
}

function tablesOf({ batches, singleEntryMs, peakMemoryMb }: IngestFigures): BenchTable[] {
  const rowsOf = (row: (figures: BatchFigures) => (string | number)[]) =>
    batchSizes.flatMap((size) => (batches[size] ? [[size, ...row(batches[size])]] : []));
  const processes = Object.keys(batches[batchSizes[0]]?.cpuMs ?? {});
  return [
    {
      title: `Ingest, ${clients} clients, lines per second`,
      head: ['lines per batch', 'service', 'bare server', 'ratio'],
      rows: rowsOf(({ linesPerSecond, bare }) => [
        Math.round(linesPerSecond),
        Math.round(bare.linesPerSecond),
        linesPerSecond / bare.linesPerSecond,
      ]),
    },
    {
      title: 'CPU milliseconds per 1,000 lines',
      head: ['lines per batch', ...processes, 'total', 'bare server'],
      rows: rowsOf(({ cpuMs, totalCpuMs, bare }) => [
        ...processes.map((name) => cpuMs[name] ?? Number.NaN),
        totalCpuMs,
        bare.cpuMs,
      ]),
    },
    {
      title: 'Ingest of one entry, one client, milliseconds',
      head: ['', 'p50', 'p99'],
      rows: (['fresh', 'warm'] as const).map((state) => [
        state === 'fresh' ? `first ${singleEntries} requests` : 'warmed stack',
        singleEntryMs[state].p50,
        singleEntryMs[state].p99,
      ]),
    },
    {
      title: 'Peak memory under load, MiB',
      head: ['web', 'worker'],
      rows: [[peakMemoryMb.web ?? 'not known', peakMemoryMb.worker ?? 'not known']],
    },
  ];
}

/** Runs `work` beside the server of `bare-server.ts`. */
async function withBareServer<T>(work: (server: { url: string; pid: number }) => Promise<T>): Promise<T> {
  const file = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  try {
    const [port] = (await once(child, 'message')) as [number];
    return await work({ url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 });
  } finally {
    child.kill();
  }
}
