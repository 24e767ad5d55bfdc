import { makeLogLines } from '../demo/make-log-lines.ts';
import { type BenchStack, onBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { directInserts } from './direct-inserts.ts';
import { percentile, sendLoad } from './load.ts';

const clients = 8;
const batchSizes = [100, 1000] as const;
const linesPerRun = 160_000;
const singleEntries = 2000;
const seed = 20_261_121;

interface IngestFigures {
  /** Lines per second, by batch size. */
  linesPerSecond: Record<number, { service: number; sameQueue: number; direct: number }>;
  ratios: Record<number, { toSameQueue: number; toDirect: number }>;
  singleEntryMs: { p50: number; p99: number };
  peakMemoryMb: { web: number | null; worker: number | null };
}

/**
 * Ingest end to end, beside (a) the same requests through the same queue to a processor that returns at once and (b) a
 * single process that parses, hashes and inserts the same lines without a queue.
 */
export async function benchIngest(): Promise<{ figures: IngestFigures; tables: BenchTable[] }> {
  const lines = makeLogLines(seed, 20_000);
  const bodies = Object.fromEntries(batchSizes.map((size) => [size, bodiesOf(lines, size)])) as Bodies;
  const service = await onBenchStack({}, (stack) => measureService(stack, bodies, lines));
  const sameQueue = await onBenchStack(
    { web: 'scripts/bench/baseline-web.ts', worker: 'scripts/bench/baseline-worker.ts' },
    (stack) => throughput(stack, crypto.randomUUID(), bodies),
  );
  const figures: IngestFigures = {
    linesPerSecond: {},
    ratios: {},
    singleEntryMs: service.singleEntryMs,
    peakMemoryMb: service.peakMemoryMb,
  };
  for (const size of batchSizes) {
    const speeds = { service: service.speeds[size], sameQueue: sameQueue[size], direct: service.direct[size] };
    figures.linesPerSecond[size] = speeds;
    figures.ratios[size] = {
      toSameQueue: speeds.service / speeds.sameQueue,
      toDirect: speeds.service / speeds.direct,
    };
  }
  return { figures, tables: tablesOf(figures) };
}

type Bodies = Record<(typeof batchSizes)[number], Buffer[]>;
type Speeds = Record<(typeof batchSizes)[number], number>;

function bodiesOf(lines: readonly string[], size: number): Buffer[] {
  const bodies: Buffer[] = [];
  for (let start = 0; start + size <= lines.length; start += size) {
    bodies.push(Buffer.from(JSON.stringify(lines.slice(start, start + size).map((message) => ({ message })))));
  }
  return bodies;
}

async function measureService(stack: BenchStack, bodies: Bodies, lines: readonly string[]) {
  const scenarioId = await runningScenario(stack.url);
  const speeds = await throughput(stack, scenarioId, bodies);
  const peakMemoryMb = await stack.memory();
  const singles = lines.slice(0, 1000).map((message) => Buffer.from(JSON.stringify({ message })));
  const { latencies } = await sendLoad({
    ...target(stack, scenarioId),
    bodies: singles,
    clients: 1,
    requests: singleEntries,
  });
  const direct = {} as Speeds;
  for (const size of batchSizes) {
    const requests = linesPerRun / size;
    const { seconds } = await directInserts({
      mongodbUrl: stack.mongodbUrl,
      bodies: bodies[size],
      concurrency: clients,
      requests,
    });
    direct[size] = linesPerRun / seconds;
  }
  return {
    speeds,
    direct,
    singleEntryMs: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
    peakMemoryMb,
  };
}

/** Lines per second by batch size, after a warm-up. */
async function throughput(stack: BenchStack, scenarioId: string, bodies: Bodies): Promise<Speeds> {
  const speeds = {} as Speeds;
  for (const size of batchSizes) {
    const load = { ...target(stack, scenarioId), bodies: bodies[size], clients };
    await sendLoad({ ...load, requests: linesPerRun / size / 5 });
    const { seconds } = await sendLoad({ ...load, requests: linesPerRun / size });
    speeds[size] = linesPerRun / seconds;
  }
  return speeds;
}

const target = ({ url }: BenchStack, scenarioId: string) => ({
  url: `${url}/ingest`,
  headers: { 'X-Scenario-ID': scenarioId },
});

async function runningScenario(url: string): Promise<string> {
  const post = async (path: string, body?: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const { id } = await post('/api/v1/scenarios', { name: 'bench', region: 'us-east-1' });
  await post(`/api/v1/scenarios/${id}/start`);
  return id;
}

function tablesOf({ linesPerSecond, ratios, singleEntryMs, peakMemoryMb }: IngestFigures): BenchTable[] {
  return [
    {
      title: `Ingest, ${clients} clients, lines per second`,
      head: [
        'lines a batch',
        'service',
        '(a) same queue, no work',
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
