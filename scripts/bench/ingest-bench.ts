import { generateDayOfLogLines } from '../demo/generate-log-lines.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { directInserts } from './direct-inserts.ts';
import { median, percentile, sendLoad } from './load.ts';
import { startScenario } from './start-scenario.ts';

const clients = 8;
const batchSizes = [100, 1000] as const;
/** Service and baselines alternate, so that a change in the speed of the machine affects all measurements. */
const rounds = 3;
const linesPerRound = 80_000;
const singleEntries = 2000;
const seed = 20_261_121;

interface IngestFigures {
  /** Medians of lines per second, by batch size. */
  linesPerSecond: Record<number, { service: number; sameQueue: number; direct: number }>;
  ratios: Record<number, { toSameQueue: number; toDirect: number }>;
  singleEntryMs: { p50: number; p99: number };
  peakMemoryMb: { web: number | null; worker: number | null };
}

/**
 * Measures ingest end to end, and two baselines: (a) the same requests through the same queue to a processor that
 * returns at once, and (b) a single process that parses, hashes and inserts the same lines without a queue.
 */
export async function benchIngest(): Promise<{ figures: IngestFigures; tables: BenchTable[] }> {
  const lines = generateDayOfLogLines(seed, 20_000);
  const bodies = Object.fromEntries(batchSizes.map((size) => [size, bodiesOf(lines, size)])) as Bodies;
  const idleWorker = { worker: 'scripts/bench/baseline-worker.ts' };
  const figures = await withBenchStack({}, (service) =>
    withBenchStack(idleWorker, (sameQueue) => measure(service, sameQueue, bodies, lines)),
  );
  return { figures, tables: tablesOf(figures) };
}

async function measure(
  service: BenchStack,
  sameQueue: BenchStack,
  bodies: Bodies,
  lines: readonly string[],
): Promise<IngestFigures> {
  const scenarioId = await startScenario(service.url);
  const idleScenarioId = await startScenario(sameQueue.url);
  const figures: IngestFigures = {
    linesPerSecond: {},
    ratios: {},
    singleEntryMs: { p50: 0, p99: 0 },
    peakMemoryMb: { web: null, worker: null },
  };
  for (const size of batchSizes) {
    const load = { bodies: bodies[size], clients, requests: linesPerRound / size };
    const variants = {
      service: () => sendLoad({ ...target(service, scenarioId), ...load, status: 200 }),
      sameQueue: () => sendLoad({ ...target(sameQueue, idleScenarioId), ...load, status: 404 }),
      direct: () => directInserts({ mongodbUrl: service.mongodbUrl, concurrency: clients, ...load }),
    };
    const speeds = { service: [] as number[], sameQueue: [] as number[], direct: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, run] of Object.entries(variants)) {
        const { seconds } = await run();
        // The first round warms up.
        if (round > 0) speeds[name as keyof typeof speeds].push(linesPerRound / seconds);
      }
    }
    const medians = {
      service: median(speeds.service),
      sameQueue: median(speeds.sameQueue),
      direct: median(speeds.direct),
    };
    figures.linesPerSecond[size] = medians;
    figures.ratios[size] = {
      toSameQueue: medians.service / medians.sameQueue,
      toDirect: medians.service / medians.direct,
    };
  }
  figures.peakMemoryMb = await service.memory();
  const singles = lines.slice(0, 1000).map((message) => Buffer.from(JSON.stringify({ message })));
  const { latencies } = await sendLoad({
    ...target(service, scenarioId),
    bodies: singles,
    clients: 1,
    requests: singleEntries,
    status: 200,
  });
  figures.singleEntryMs = { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
  return figures;
}

type Bodies = Record<(typeof batchSizes)[number], Buffer[]>;

function bodiesOf(lines: readonly string[], size: number): Buffer[] {
  const bodies: Buffer[] = [];
  for (let start = 0; start + size <= lines.length; start += size) {
    bodies.push(Buffer.from(JSON.stringify(lines.slice(start, start + size).map((message) => ({ message })))));
  }
  return bodies;
}

const target = ({ url }: BenchStack, scenarioId: string) => ({
  url: `${url}/ingest`,
  headers: { 'X-Scenario-ID': scenarioId },
});

function tablesOf({ linesPerSecond, ratios, singleEntryMs, peakMemoryMb }: IngestFigures): BenchTable[] {
  return [
    {
      title: `Ingest, ${clients} clients, lines per second`,
      head: [
        'lines per batch',
        'service',
        '(a) same queue, empty processor',
        'ratio to (a)',
        '(b) one process, no queue',
        'ratio to (b)',
      ],
      rows: batchSizes.map((size) => {
        const speeds = linesPerSecond[size] ?? { service: 0, sameQueue: 0, direct: 0 };
        const ratio = ratios[size] ?? { toSameQueue: 0, toDirect: 0 };
        const whole = (value: number) => Math.round(value);
        return [
          size,
          whole(speeds.service),
          whole(speeds.sameQueue),
          ratio.toSameQueue,
          whole(speeds.direct),
          ratio.toDirect,
        ];
      }),
    },
    {
      title: 'Ingest of one entry, one client, milliseconds',
      head: ['p50', 'p99'],
      rows: [[singleEntryMs.p50, singleEntryMs.p99]],
    },
    {
      title: 'Peak memory under load, MiB',
      head: ['web', 'worker'],
      rows: [[peakMemoryMb.web ?? 'not known', peakMemoryMb.worker ?? 'not known']],
    },
  ];
}
