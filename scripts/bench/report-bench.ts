import type { Browser } from 'puppeteer-core';
import { readConfig } from '../../shared/config/config.ts';
import { createChartThreads } from '../../shared/cost/charts/chart-threads.ts';
import type { LogBatch } from '../../shared/ingest/log-batch.model.ts';
import { entriesOf } from '../../shared/ingest/log-entries.ts';
import { openResources } from '../../shared/open-resources.ts';
import { createLog } from '../../shared/process/log.ts';
import { launchBrowser } from '../../workers/reports/pdf/launch-browser.ts';
import { createDocument } from '../../workers/reports/pdf/render-pdf.ts';
import { packageCacheFolder } from '../../workers/reports/pdf/unpack-chromium.ts';
import { type CostDeps, readReportData } from '../../workers/reports/report-cost.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { makeReport, register } from './make-report.ts';
import { plantEntries } from './plant-entries.ts';
import { withDescendantMemory } from './process-memory.ts';
import { startScenario } from './start-scenario.ts';

const batches = 1_000;
/** Reports in PDF, followed by as many bare prints. */
const prints = 3;

interface Figures {
  /** From the request to `ready`; the median of several. */
  seconds: number;
  megabytes: number;
  /** In MiB; null on systems other than Linux. */
  workerPeakMb: { before: number | null; after: number | null };
}

interface ReportFigures {
  entries: number;
  pdf: Figures & { browserPeakMb: number | null };
  /** The same document, printed by another warm Chromium without anything else. */
  barePrint: { seconds: number; megabytes: number; browserPeakMb: number | null };
  csvByHour: Figures;
  csvByEntry: Figures;
  /** The documents of the CSV by entry, read by the driver without anything else. */
  bareReadSeconds: number;
}

/**
 * Measures the reports of a scenario with a million entries, warm, and baselines for the PDF and
 * the CSV by entry.
 */
export async function benchReports(): Promise<{ figures: ReportFigures; tables: BenchTable[] }> {
  const figures = await withBenchStack({}, measure, { RATE_LIMIT_DEFAULT: '1000000000' });
  return { figures, tables: tablesOf(figures) };
}

async function measure(stack: BenchStack): Promise<ReportFigures> {
  const config = readConfig(stack.environment);
  const log = createLog({ level: 'error', process: 'worker' });
  const { resources, closing } = await openResources(config, log, { mongo: 'worker', redis: 'request' });
  const { models } = resources;
  const browser = await launchBrowser({ chromiumPath: config.browser.path, cacheFolder: packageCacheFolder() });
  try {
    const headers = await register(stack.url);
    const [warmUp, scenarioId] = [await startScenario(stack.url, 'warm-up'), await startScenario(stack.url)];
    await plantEntries(models, warmUp, 20);
    await plantEntries(models, scenarioId, batches);
    const make = (body: object, of = scenarioId) => makeReport(stack.url, of, body, headers);

    const byEntry = { format: 'csv', detail: 'entries' };
    for (const body of [byEntry, { format: 'csv' }, { format: 'pdf' }]) await make(body, warmUp);
    const csvByEntry = await measureReport(stack, () => make(byEntry));
    const csvByHour = await measureReport(stack, () => make({ format: 'csv' }));
    const html = await documentOf((await make({ format: 'pdf' })).id, resources);
    await printBare(browser, html);
    const printing = () => measureReport(stack, () => make({ format: 'pdf' }), prints);
    const { result, peakMb: browserPeakMb } = await withDescendantMemory(stack.processIds()['worker'] ?? 0, printing);
    const pdf = { ...result, browserPeakMb };
    const barePrint = await measureBarePrint(browser, html);

    const started = performance.now();
    let entries = 0;
    for await (const batch of models.logBatch.collection.find<LogBatch>({ scenarioId }).sort({ receivedAt: 1 })) {
      entries += entriesOf(batch).length;
    }
    return { entries, pdf, barePrint, csvByHour, csvByEntry, bareReadSeconds: secondsSince(started) };
  } finally {
    await browser.close();
    for (const step of closing) await step.run();
  }
}

async function measureReport(stack: BenchStack, make: () => Promise<{ bytes: number }>, times = 1): Promise<Figures> {
  const before = (await stack.memory()).worker;
  const { seconds, result } = await repeat(times, make);
  const after = (await stack.memory()).worker;
  return { seconds, megabytes: result.bytes / 1024 ** 2, workerPeakMb: { before, after } };
}

async function measureBarePrint(browser: Browser, html: string): Promise<ReportFigures['barePrint']> {
  const print = () => repeat(prints, () => printBare(browser, html));
  const { result, peakMb } = await withDescendantMemory(browser.process()?.pid ?? 0, print);
  return { seconds: result.seconds, megabytes: result.result.length / 1024 ** 2, browserPeakMb: peakMb };
}

/** @returns the last result, and the median time. */
async function repeat<T>(times: number, work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const seconds: number[] = [];
  for (;;) {
    const started = performance.now();
    const result = await work();
    seconds.push(secondsSince(started));
    if (seconds.length < times) continue;
    seconds.sort((one, other) => one - other);
    return { seconds: seconds[Math.floor(times / 2)] ?? 0, result };
  }
}

const secondsSince = (started: number) => (performance.now() - started) / 1_000;

/** The document that the worker prints for a report. */
async function documentOf(reportId: string, deps: CostDeps): Promise<string> {
  const report = await deps.models.report.findById(reportId).orFail().lean();
  const scenario = await deps.models.scenario.findById(report.scenarioId).orFail().lean();
  const chartThreads = createChartThreads();
  try {
    return await createDocument(await readReportData(report, scenario, deps), { chartThreads });
  } finally {
    await chartThreads.close();
  }
}

async function printBare(browser: Browser, html: string): Promise<Uint8Array> {
  const page = await browser.newPage();
  try {
    await page.setContent(html, { waitUntil: 'load', timeout: 0 });
    return await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true, timeout: 0 });
  } finally {
    await page.close();
  }
}

function tablesOf({ entries, pdf, barePrint, csvByHour, csvByEntry, bareReadSeconds }: ReportFigures): BenchTable[] {
  const rowOf = (name: string, { seconds, megabytes, workerPeakMb, browserPeakMb }: ReportFigures['pdf']) => [
    name,
    seconds,
    megabytes,
    workerPeakMb.before ?? '',
    workerPeakMb.after ?? '',
    browserPeakMb ?? '',
  ];
  return [
    {
      title: `Reports of ${entries.toLocaleString('en-US')} entries, from the request to ready`,
      head: ['', 'seconds', 'file, MiB', 'worker peak before, MiB', 'after', 'browser peak, MiB'],
      rows: [
        rowOf('PDF', pdf),
        [
          'bare print of the same document',
          barePrint.seconds,
          barePrint.megabytes,
          '',
          '',
          barePrint.browserPeakMb ?? '',
        ],
        rowOf('CSV by hour', { ...csvByHour, browserPeakMb: null }),
        rowOf('CSV by entry', { ...csvByEntry, browserPeakMb: null }),
        ['bare read of the entries', bareReadSeconds, '', '', '', ''],
      ],
    },
    {
      title: 'Ratios',
      head: ['', 'value'],
      rows: [
        ['PDF to bare print', pdf.seconds / barePrint.seconds],
        ['CSV by entry to bare read', csvByEntry.seconds / bareReadSeconds],
        ['CSV by entry, rows per second', Math.round(entries / csvByEntry.seconds)],
      ],
    },
  ];
}
