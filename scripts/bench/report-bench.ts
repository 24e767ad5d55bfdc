import { setTimeout as delay } from 'node:timers/promises';
import { callService } from '../call-service.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { withPlantedYear } from './plant-hours.ts';
import { measureCpu } from './process-cpu.ts';
import { median } from './statistics.ts';

const reports = 5;
const pollMs = 20;

interface ReportFigures {
  format: string;
  /** From the request until the file is ready; medians. */
  milliseconds: number;
  /** CPU time; a PDF is printed by a browser, whose time is not in it. */
  workerMilliseconds: number;
  kilobytes: number;
}

/** Measures reports of a scenario with entries in every hour of a year. */
export async function benchReports(): Promise<BenchTable[]> {
  const figures = await withBenchStack((stack) =>
    withPlantedYear(stack, async ({ year }) => [await measure(stack, year, 'csv'), await measure(stack, year, 'pdf')]),
  );
  const title = 'Reports of a year with entries in every hour, from the request to the file';
  const rows = figures.map((one) => [one.format, one.milliseconds, one.workerMilliseconds, one.kilobytes]);
  return [{ title, head: ['', 'ms', 'CPU of the worker, ms', 'kB'], rows }];
}

async function measure(stack: BenchStack, scenarioId: string, format: string): Promise<ReportFigures> {
  const { url } = stack;
  const { worker = 0 } = stack.processIds();
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let kilobytes = 0;
  // The first report starts the browser.
  for (let count = 0; count <= reports; count += 1) {
    const started = performance.now();
    const { cpuMs } = await measureCpu({ worker }, async () => {
      const { id } = await callService<{ id: string }>(url, 'POST', `/api/v1/scenarios/${scenarioId}/reports`, {
        format,
      });
      kilobytes = (await waitForReport(url, id)) / 1000;
    });
    if (count === 0) continue;
    times.push(performance.now() - started);
    cpuTimes.push(cpuMs['worker'] ?? Number.NaN);
  }
  return { format, milliseconds: median(times), workerMilliseconds: median(cpuTimes), kilobytes };
}

/** @returns the size of the file in bytes. */
async function waitForReport(url: string, id: string): Promise<number> {
  for (;;) {
    const report = await callService<{ status: string; size_bytes: number }>(url, 'GET', `/api/v1/reports/${id}`);
    if (report.status === 'ready') return report.size_bytes;
    if (report.status === 'failed') throw new Error('A report failed.');
    await delay(pollMs);
  }
}
