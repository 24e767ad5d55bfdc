import { setTimeout as delay } from 'node:timers/promises';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { withPlantedYear } from './plant-hours.ts';
import { measureCpu } from './process-cpu.ts';
import { median } from './statistics.ts';

const requests = 15;
const pollMs = 5;

interface PageFigures {
  page: string;
  /** Medians. */
  milliseconds: number;
  /** Memory of the web process; null on systems other than Linux. */
  webMilliseconds: number | null;
  kilobytes: number;
  /** The longest time of a response to `/health` that was requested at the same time. */
  longestHealthMs: number;
}

interface MetricsFigures {
  pages: PageFigures[];
  webPeakMb: { before: number | null; after: number | null };
}

/** Measures metrics of scenarios with entries in every hour of a year and of five years. */
export async function benchMetrics(): Promise<BenchTable[]> {
  return tablesOf(await withBenchStack(measure, { RATE_LIMIT_ENTERPRISE: '1000000000' }));
}

async function measure(stack: BenchStack): Promise<MetricsFigures> {
  return withPlantedYear(stack, async ({ year, fiveYears }) => {
    const before = (await stack.memory()).web;
    const month = 'from=2021-05-01&to=2021-06-01';
    const last = 'interval=hour&cursor=hour:2021-11-20T08:00:00.000Z';
    const pages = [
      await measurePage(stack, 'a month by hour', `${year}/metrics?interval=hour&${month}`),
      await measurePage(stack, 'a year by hour, first page', `${year}/metrics?interval=hour`),
      await measurePage(stack, 'a year by hour, last page', `${year}/metrics?${last}`),
      await measurePage(stack, 'a year by hour, 500 rows', `${year}/metrics?interval=hour&limit=500`),
      await measurePage(stack, 'a year by day', `${year}/metrics?interval=day`),
      await measurePage(stack, 'a year, interval not named', `${year}/metrics`),
      await measurePage(stack, 'five years by hour, first page', `${fiveYears}/metrics?interval=hour`),
      await measurePage(stack, 'five years by day', `${fiveYears}/metrics?interval=day`),
    ];
    return { pages, webPeakMb: { before, after: (await stack.memory()).web } };
  });
}

async function measurePage(stack: BenchStack, page: string, path: string): Promise<PageFigures> {
  let bytes = 0;
  const read = async () => {
    const response = await fetch(`${stack.url}/api/v1/scenarios/${path}`);
    const body = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`GET ${response.url}: ${response.status} ${body.toString()}`);
    bytes = body.length;
  };
  const web = stack.processIds()['web'] ?? 0;
  const times: number[] = [];
  await read();
  const { cpuMs } = await measureCpu({ web }, async () => {
    for (let count = 0; count < requests; count += 1) {
      const started = performance.now();
      await read();
      times.push(performance.now() - started);
    }
  });
  const webMilliseconds = cpuMs['web'] === undefined || Number.isNaN(cpuMs['web']) ? null : cpuMs['web'] / requests;
  const longestHealthMs = await whilePolling(`${stack.url}/health`, read);
  return { page, milliseconds: median(times), webMilliseconds, kilobytes: bytes / 1000, longestHealthMs };
}

async function whilePolling(url: string, work: () => Promise<void>): Promise<number> {
  const over = new AbortController();
  const polling = (async () => {
    let longest = 0;
    while (!over.signal.aborted) {
      const started = performance.now();
      await (await fetch(url)).arrayBuffer();
      longest = Math.max(longest, performance.now() - started);
      await delay(pollMs);
    }
    return longest;
  })();
  for (let count = 0; count < requests; count += 1) await work();
  over.abort();
  return polling;
}

function tablesOf({ pages, webPeakMb }: MetricsFigures): BenchTable[] {
  return [
    {
      title: 'Metrics with entries in every hour',
      head: ['', 'ms', 'CPU of web, ms', 'kB', 'longest /health meanwhile, ms'],
      rows: pages.map(({ page, milliseconds, webMilliseconds, kilobytes, longestHealthMs }) => [
        page,
        milliseconds,
        webMilliseconds ?? 'not known',
        kilobytes,
        longestHealthMs,
      ]),
    },
    {
      title: 'Peak memory of web, MiB',
      head: ['before', 'after'],
      rows: [[webPeakMb.before ?? 'not known', webPeakMb.after ?? 'not known']],
    },
  ];
}
