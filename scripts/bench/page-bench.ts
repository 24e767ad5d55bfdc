import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { generateDayOfLogLines } from '../../page/sample/generate-log-lines.ts';
import { readConfig } from '../../shared/config/config.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { day, second } from '../../shared/durations.ts';
import { createModels } from '../../shared/models.ts';
import { launchBrowser } from '../../workers/reports/pdf/launch-browser.ts';
import { startScenario } from '../call-service.ts';
import { type BenchStack, withBenchStack } from './bench-stack.ts';
import type { BenchTable } from './bench-table.ts';
import { plantedFrom, plantHours } from './plant-hours.ts';
import { median } from './statistics.ts';
import { withPacedLoad } from './with-paced-load.ts';

const seed = 20_261_123;
const days = 365;
/** Together a million. */
const entriesPerHour = 115;
const openings = 5;
const watchFor = 20 * second;
const openWithin = 120 * second;
const load = { linesPerSecond: 10_000, linesPerBatch: 500 };
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** In ms; medians. */
interface OpeningFigures {
  view: string;
  /** After the navigation, so with the load of the page. */
  totals: number;
  /** From the sending of the request that brings them to their display. */
  totalsAfterTheirRequest: number;
  /** Time of the same request without a browser, to the first metrics. */
  response: number;
  /** After the navigation. */
  chart: number;
  chartAfterItsData: number;
}

/** A request of the page. */
interface TotalsRequest {
  readonly url: string;
  /** In ms after the navigation. */
  readonly at: number;
}

/** Tasks of the main thread of the page while lines arrive. */
interface StreamingFigures {
  view: string;
  linesPerSecond: number;
  /** In ms of CPU time. */
  longestTask: number;
  tasksOver50Ms: number;
  /** In ms of wall time, as the page itself reports long tasks. */
  longestReported: number;
  /** In ms of CPU time a second. */
  busy: number;
}

interface PageFigures {
  openings: OpeningFigures[];
  streaming: StreamingFigures[];
}

const views = { cost: '', 'levels by day': 'show=levels&by=day', 'the last week by hour': 'period=week&by=hour' };

/** Measures the page in a browser: a scenario with a million entries in every hour of a year. */
export async function benchPage(): Promise<{ figures: PageFigures; tables: BenchTable[] }> {
  const figures = await withBenchStack({}, measure, { RATE_LIMIT_DEFAULT: '1000000000' });
  return { figures, tables: tablesOf(figures) };
}

async function measure(stack: BenchStack): Promise<PageFigures> {
  const scenarioId = await plantYear(stack);
  const browser = await launchBrowser({ chromiumPath: process.env['CHROMIUM_PATH'], cacheFolder });
  try {
    const addressOf = (query: string) => `${stack.url}/#/scenarios/${scenarioId}?${query}`;
    const figures: PageFigures = { openings: [], streaming: [] };
    for (const [view, query] of Object.entries(views)) {
      figures.openings.push({ view, ...(await measureOpenings(browser, addressOf(query))) });
    }
    for (const [view, query] of Object.entries(views)) {
      const page = await openPage(browser, addressOf(query));
      const { result, linesPerSecond } = await withPacedLoad({ url: stack.url, scenarioId, ...load }, () =>
        measureTasks(page),
      );
      await page.close();
      figures.streaming.push({ view, linesPerSecond, ...result });
    }
    return figures;
  } finally {
    await browser.close();
  }
}

/** The hours end today, so that the lines that are sent belong to the same year. */
async function plantYear({ url, environment }: BenchStack): Promise<string> {
  const config = readConfig(environment);
  const mongo = await openMongo(config.mongodbUrl, { timeoutMs: config.mongodbTimeoutMs, role: 'worker' });
  try {
    const lines = generateDayOfLogLines(seed, entriesPerHour);
    const entries = lines.map((message) => ({ message, timestamp: plantedFrom, source: 'web' }));
    const scenarioId = await startScenario(url, 'a year');
    const today = Math.floor(Date.now() / day) * day;
    await plantHours(createModels(mongo), scenarioId, days, entries, today - days * day);
    return scenarioId;
  } finally {
    await mongo.close();
  }
}

/**
 * Notes the last request for totals before they are shown, when totals and chart are shown, and the
 * long tasks. A stream does not end, so the browser has no timing of its request.
 */
const recorder = `{
  globalThis.seen = { totalsRequest: null, totals: 0, chart: 0, longTasks: [] };
  const { fetch } = globalThis;
  globalThis.fetch = (url, options) => {
    const isForTotals = /\\/metrics(\\/stream$|\\?(.*&)?limit=1$)/.test(url);
    if (isForTotals && !seen.totals) seen.totalsRequest = { url: new URL(url, document.baseURI).href, at: performance.now() };
    return fetch(url, options);
  };
  const note = (name) => requestAnimationFrame(() => requestAnimationFrame(() => { seen[name] ||= performance.now(); }));
  new MutationObserver(() => {
    if (!seen.totals && document.querySelector('[data-testid="entries"]')) note('totals');
    if (!seen.chart && document.querySelector('.plot canvas')) note('chart');
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => seen.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });
}`;

async function openPage(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(openWithin);
  await page.setViewport({ width: 1280, height: 900 });
  await page.evaluateOnNewDocument(recorder);
  await page.goto(address);
  await page.waitForFunction('seen.totals && seen.chart');
  return page;
}

async function measureOpenings(browser: Browser, address: string): Promise<Omit<OpeningFigures, 'view'>> {
  const all: Omit<OpeningFigures, 'view'>[] = [];
  for (let count = 0; count < openings; count += 1) {
    const page = await openPage(browser, address);
    const { totalsRequest, ...shown } = (await page.evaluate(`{
      const data = performance.getEntriesByType('resource').filter(({ name }) => /limit=2000|metrics.levels/.test(name));
      ({
        totalsRequest: seen.totalsRequest,
        totals: seen.totals,
        chart: seen.chart,
        chartAfterItsData: seen.chart - Math.max(...data.map(({ responseEnd }) => responseEnd)),
      });
    }`)) as Pick<OpeningFigures, 'totals' | 'chart' | 'chartAfterItsData'> & { totalsRequest: TotalsRequest };
    await page.close();
    all.push({
      ...shown,
      totalsAfterTheirRequest: shown.totals - totalsRequest.at,
      response: await measureResponse(totalsRequest.url),
    });
  }
  const medianOf = (name: keyof Omit<OpeningFigures, 'view'>) => median(all.map((one) => one[name]));
  return {
    totals: medianOf('totals'),
    totalsAfterTheirRequest: medianOf('totalsAfterTheirRequest'),
    response: medianOf('response'),
    chart: medianOf('chart'),
    chartAfterItsData: medianOf('chartAfterItsData'),
  };
}

/** In ms, to the end of the response, or to the first metrics of a stream. */
async function measureResponse(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`GET ${url}: ${response.status} ${await response.text()}`);
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    // The end of the first event.
    if (/^event: metrics$[^]*\n\n/m.test(text)) break;
  }
  if (!text.includes('"cost_breakdown"')) throw new Error(`GET ${url}: the response has no metrics.`);
  return performance.now() - started;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** In µs of CPU time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Tasks from now on. */
async function measureTasks(page: Page): Promise<Omit<StreamingFigures, 'view' | 'linesPerSecond'>> {
  await page.evaluate('seen.longTasks.length = 0');
  await page.tracing.start({ categories: ['disabled-by-default-devtools.timeline'] });
  await delay(watchFor);
  const trace = JSON.parse(Buffer.from((await page.tracing.stop()) ?? []).toString()) as { traceEvents: TraceEvent[] };
  const reported = (await page.evaluate('seen.longTasks')) as number[];
  const threads = trace.traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const isOfPage = ({ pid, tid }: TraceEvent) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  const tasks = trace.traceEvents
    .filter((event) => event.name === 'RunTask' && isOfPage(event))
    .map(({ tdur = 0 }) => tdur / 1000);
  return {
    longestTask: Math.max(0, ...tasks),
    tasksOver50Ms: tasks.filter((ms) => ms > 50).length,
    longestReported: Math.max(0, ...reported),
    busy: (tasks.reduce((sum, ms) => sum + ms, 0) * second) / watchFor,
  };
}

function tablesOf({ openings: opened, streaming }: PageFigures): BenchTable[] {
  return [
    {
      title: `The overview of ${days * 24 * entriesPerHour} entries, ms`,
      head: [
        '',
        'totals after their request',
        'response with the totals, no browser',
        'totals after the navigation',
        'chart after the navigation',
        'chart after its data',
      ],
      rows: opened.map((one) => [
        one.view,
        one.totalsAfterTheirRequest,
        one.response,
        one.totals,
        one.chart,
        one.chartAfterItsData,
      ]),
    },
    {
      title: `Tasks of the main thread while lines arrive, for ${watchFor / second} s`,
      head: ['', 'lines/s', 'longest, CPU ms', 'over 50 CPU ms', 'longest reported, ms', 'busy, CPU ms/s'],
      rows: streaming.map((one) => [
        one.view,
        one.linesPerSecond,
        one.longestTask,
        one.tasksOver50Ms,
        one.longestReported,
        one.busy,
      ]),
    },
  ];
}
