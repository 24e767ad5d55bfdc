import { join } from 'node:path';
import { generateDayOfLogLines } from '../../shared/generate-log-lines.ts';
import { startScenario } from '../call-service.ts';
import { findFreePort } from '../local-stack/free-port.ts';
import { typescriptProgram, waitForPort } from '../local-stack/services.ts';
import { Supervisor } from '../local-stack/supervisor.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { sendLoad } from './load.ts';
import { type CpuTimes, measureCpu } from './process-cpu.ts';
import { median, percentile } from './statistics.ts';

/** Service and peer alternate, so that a change in the speed of the machine affects both. */
const rounds = 5;
const firstSeed = 20_261_121;
const loads = [
  { size: 1, clients: 1, lines: 500 },
  { size: 1, clients: 8, lines: 1600 },
  { size: 100, clients: 8, lines: 20_000 },
  { size: 1000, clients: 8, lines: 40_000 },
] as const;

type Load = (typeof loads)[number];

/** Medians of the rounds. CPU times are for 1,000 lines. */
interface Figures {
  linesPerSecond: number;
  p50: number;
  p99: number;
  cpuMs: CpuTimes;
  totalCpuMs: number;
}

interface IngestFigures {
  loads: (Load & { service: Figures; peer: Figures })[];
  /** Peak memory of web and worker in MiB. */
  peakMemoryMb: { web: number | null; worker: number | null };
}

/** Measures ingest of lines that were never sent before, beside a peer on the same servers. */
export async function benchIngest(): Promise<BenchTable[]> {
  return tablesOf(await withBenchStack((stack) => withPeer(stack, (peer) => measure(stack, peer))));
}

async function measure(stack: BenchStack, peer: Peer): Promise<IngestFigures> {
  const headers = { 'X-Scenario-ID': await startScenario(stack.url) };
  let seed = firstSeed;
  const measureRound = async (server: BenchStack | Peer, { size, clients, lines }: Load): Promise<Figures> => {
    seed += 1;
    const bodies = bodiesOf(generateDayOfLogLines(seed, lines), size);
    const { redis, store } = stack.processIds();
    const { web, worker } = server.processIds();
    const pids = { web, worker, redis, store } as Record<string, number>;
    const { result, cpuMs } = await measureCpu(pids, () =>
      sendLoad({ url: `${server.url}/ingest`, headers, bodies, clients }),
    );
    // The CPU time of the client is that of the bench.
    const perThousand = Object.keys(pids).map((name) => [name, ((cpuMs[name] ?? 0) * 1000) / lines] as const);
    return {
      linesPerSecond: lines / result.seconds,
      p50: percentile(result.latencies, 0.5),
      p99: percentile(result.latencies, 0.99),
      cpuMs: Object.fromEntries(perThousand),
      totalCpuMs: perThousand.reduce((sum, [, value]) => sum + value, 0),
    };
  };

  const measured: IngestFigures['loads'] = [];
  for (const load of loads) {
    const service: Figures[] = [];
    const ofPeer: Figures[] = [];
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const one = await measureRound(stack, load);
      const other = await measureRound(peer, load);
      if (round === 0) continue;
      service.push(one);
      ofPeer.push(other);
    }
    measured.push({ ...load, service: mediansOf(service), peer: mediansOf(ofPeer) });
  }
  return { loads: measured, peakMemoryMb: await stack.memory() };
}

/** Bodies of `size` lines each; a single entry is an object. */
function bodiesOf(lines: readonly string[], size: number): Buffer[] {
  return Array.from({ length: Math.floor(lines.length / size) }, (_, index) => {
    const entries = lines.slice(index * size, (index + 1) * size).map((message) => ({ message }));
    return Buffer.from(JSON.stringify(size === 1 ? entries[0] : entries));
  });
}

function mediansOf(all: readonly Figures[]): Figures {
  const medianOf = (read: (one: Figures) => number) => median(all.map(read));
  const names = Object.keys(all[0]?.cpuMs ?? {});
  return {
    linesPerSecond: medianOf((one) => one.linesPerSecond),
    p50: medianOf((one) => one.p50),
    p99: medianOf((one) => one.p99),
    cpuMs: Object.fromEntries(names.map((name) => [name, medianOf(({ cpuMs }) => cpuMs[name] ?? Number.NaN)])),
    totalCpuMs: medianOf((one) => one.totalCpuMs),
  };
}

function tablesOf({ loads: measured, peakMemoryMb }: IngestFigures): BenchTable[] {
  const processes = Object.keys(measured[0]?.service.cpuMs ?? {});
  const cellsOf = ({ linesPerSecond, p50, p99, totalCpuMs, cpuMs }: Figures) => [
    Math.round(linesPerSecond),
    p50,
    p99,
    totalCpuMs,
    ...processes.map((name) => cpuMs[name] ?? Number.NaN),
  ];
  const head = ['lines/s', 'p50 ms', 'p99 ms', 'CPU ms', ...processes];
  return [
    ...measured.map(({ size, clients, service, peer }) => {
      const [ofService, ofPeer] = [cellsOf(service), cellsOf(peer)];
      return {
        title: `Ingest in batches of ${size}, clients: ${clients}; CPU times for 1,000 lines`,
        head: ['', ...head],
        rows: [
          ['service', ...ofService],
          ['peer', ...ofPeer],
          ['service / peer', ...ofService.map((value, at) => value / (ofPeer[at] ?? Number.NaN))],
        ],
      };
    }),
    {
      title: 'Peak memory under load, MiB',
      head: ['web', 'worker'],
      rows: [[peakMemoryMb.web ?? 'not known', peakMemoryMb.worker ?? 'not known']],
    },
  ];
}

/** A server with the same `POST /ingest`, and its processes. */
interface Peer {
  url: string;
  processIds(): Record<string, number>;
}

/** Runs `work` beside the two processes of `peer.ts`, which use the servers of the stack. */
async function withPeer<T>(stack: BenchStack, work: (peer: Peer) => Promise<T>): Promise<T> {
  const port = await findFreePort();
  const program = (role: string) =>
    typescriptProgram('scripts/bench/peer.ts', { ...stack.environment, PEER_ROLE: role, PORT: String(port) });
  const supervisor = new Supervisor({
    logsDirectory: join(stack.dataDirectory, 'peer'),
    print: (line) => console.error(line),
  });
  try {
    await supervisor.start([
      { name: 'worker', program: program('worker') },
      { name: 'web', program: program('web'), ready: (signal) => waitForPort(port, signal) },
    ]);
    return await work({ url: `http://127.0.0.1:${port}`, processIds: () => supervisor.processIds() });
  } finally {
    await supervisor.stop();
  }
}
