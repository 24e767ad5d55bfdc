import { setTimeout as delay } from 'node:timers/promises';
import { generateDayOfLogLines } from '../../page/sample/generate-log-lines.ts';
import { type RedisCluster, startRedisCluster } from '../../test/support/redis-cluster.ts';
import { startScenario } from '../call-service.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { bodiesOf, type IngestRound, measureRound, mediansOf } from './ingest-rounds.ts';
import { type CpuTimes, measureCpu } from './process-cpu.ts';

/** Numbers of ingest queues, each with a stack and a Cluster of three masters of its own. */
const queueNumbers = [1, 6] as const;
type QueueNumber = (typeof queueNumbers)[number];

const clients = 8;
const linesPerRequest = 100;
/** The stacks alternate, so that a change in the speed of the machine affects both. */
const rounds = 5;
const linesPerRound = 40_000;
/** How long the idle processes are measured before, in milliseconds. */
const idleMs = 5_000;
const firstSeed = 20_261_125;

interface QueueFigures {
  linesPerSecond: number;
  /** Share of each master in the work of all masters. */
  masterShares: number[];
  /** CPU milliseconds of all masters for 1,000 lines, without what they need when idle. */
  mastersCpuMs: number;
  /** CPU milliseconds of all processes but the client for 1,000 lines. */
  totalCpuMs: number;
}

type ClusterFigures = Record<QueueNumber, QueueFigures>;

/**
 * Measures ingest with a Redis Cluster of three masters: how its work is spread by several queues,
 * and what they cost beside one.
 */
export async function benchCluster(): Promise<{ figures: ClusterFigures; tables: BenchTable[] }> {
  const figures = await withStack(1, (one) => withStack(6, (six) => measure({ 1: one, 6: six })));
  return { figures, tables: [tableOf(figures)] };
}

interface ClusterStack extends BenchStack {
  cluster: RedisCluster;
  scenarioId: string;
}

async function withStack<T>(queues: QueueNumber, work: (stack: ClusterStack) => Promise<T>): Promise<T> {
  const cluster = await startRedisCluster({ replicas: false });
  try {
    const variables = { REDIS_URL: cluster.url, INGEST_QUEUES: String(queues) };
    return await withBenchStack(
      {},
      async (stack) => work({ ...stack, cluster, scenarioId: await startScenario(stack.url) }),
      variables,
    );
  } finally {
    await cluster.close();
  }
}

async function measure(stacks: Record<QueueNumber, ClusterStack>): Promise<ClusterFigures> {
  const idle: Record<QueueNumber, CpuTimes> = { 1: await measureIdle(stacks[1]), 6: await measureIdle(stacks[6]) };
  const measured: Record<QueueNumber, IngestRound[]> = { 1: [], 6: [] };
  for (let round = 0; round <= rounds; round += 1) {
    // The first of a round has no advantage in the long run.
    const order = round % 2 === 0 ? queueNumbers : queueNumbers.toReversed();
    for (const queues of order) {
      const result = await sendLines(stacks[queues], firstSeed + 2 * round + (queues === 1 ? 0 : 1));
      // The first round warms up.
      if (round > 0) measured[queues].push(result);
    }
  }
  return { 1: figuresOf(measured[1], idle[1]), 6: figuresOf(measured[6], idle[6]) };
}

/** @returns CPU milliseconds in a second by process. */
async function measureIdle(stack: ClusterStack): Promise<CpuTimes> {
  const { cpuMs } = await measureCpu(processesOf(stack), () => delay(idleMs));
  return Object.fromEntries(Object.entries(cpuMs).map(([name, value]) => [name, (1000 * value) / idleMs]));
}

function processesOf({ cluster, ...stack }: ClusterStack): Record<string, number> {
  const { web = 0, worker = 0, store = 0 } = stack.processIds();
  const masters = cluster.processIds.map((pid, at) => [`${master} ${at + 1}`, pid] as const);
  return { web, worker, store, ...Object.fromEntries(masters) };
}

const master = 'master';

async function sendLines(stack: ClusterStack, seed: number): Promise<IngestRound> {
  return measureRound(processesOf(stack), linesPerRound, {
    url: `${stack.url}/ingest`,
    headers: { 'X-Scenario-ID': stack.scenarioId },
    bodies: bodiesOf(generateDayOfLogLines(seed, linesPerRound), linesPerRequest),
    clients,
    requests: linesPerRound / linesPerRequest,
    status: 200,
  });
}

/** Means: hundredths of a second, as the kernel counts, are much of the work of a master. */
function figuresOf(measured: readonly IngestRound[], idle: CpuTimes): QueueFigures {
  const meanOf = (figure: (round: IngestRound) => number) =>
    measured.reduce((sum, round) => sum + figure(round), 0) / measured.length;
  const { client: _, ...processes } = measured[0]?.cpuMs ?? {};
  const names = Object.keys(processes);
  const work = names
    .filter((name) => name.startsWith(master))
    .map((name) =>
      meanOf(({ cpuMs, linesPerSecond }) => (cpuMs[name] ?? 0) - (1000 * (idle[name] ?? 0)) / linesPerSecond),
    );
  const mastersCpuMs = work.reduce((sum, ms) => sum + ms, 0);
  return {
    linesPerSecond: mediansOf(measured).linesPerSecond,
    masterShares: work.map((ms) => ms / mastersCpuMs),
    mastersCpuMs,
    totalCpuMs: meanOf(({ cpuMs }) => names.reduce((sum, name) => sum + (cpuMs[name] ?? 0), 0)),
  };
}

function tableOf(figures: ClusterFigures): BenchTable {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const { 1: one, 6: six } = figures;
  return {
    title: `Ingest with a Redis Cluster of three masters, ${clients} clients, ${linesPerRequest} lines per request`,
    head: [
      'ingest queues',
      'lines per second',
      'work of the masters',
      'their CPU ms per 1,000 lines',
      'CPU ms per 1,000 lines',
    ],
    rows: [
      ...queueNumbers.map((queues) => {
        const { linesPerSecond, masterShares, mastersCpuMs, totalCpuMs } = figures[queues];
        const shares = masterShares.map(percent).join(', ');
        return [queues, Math.round(linesPerSecond), shares, mastersCpuMs, totalCpuMs];
      }),
      [
        'ratio',
        six.linesPerSecond / one.linesPerSecond,
        '',
        six.mastersCpuMs / one.mastersCpuMs,
        six.totalCpuMs / one.totalCpuMs,
      ],
    ],
  };
}
