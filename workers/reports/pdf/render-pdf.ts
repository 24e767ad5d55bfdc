import type { Browser, HTTPRequest } from 'puppeteer-core';
import type { Logger } from 'winston';
import { type ChartKind, drawChart } from '../../../shared/cost/charts.ts';
import { minute } from '../../../shared/durations.ts';
import type { ReportData } from '../report-data.ts';
import { reportDocument } from './report-document.ts';
import { fontFaces, fontFamilies, reportStyles } from './report-styles.ts';

/** Dependencies of the rendering of a PDF. */
export interface PdfDeps {
  readonly pdfPrinter: PdfPrinter;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Renders a report as PDF. It rejects when `signal` is aborted, and when the browser hangs or
 * crashes: the job is then retried.
 * @param onPrint is called when the browser gets the document.
 */
export async function renderPdf(
  data: ReportData,
  deps: PdfDeps,
  signal: AbortSignal,
  onPrint = () => {},
): Promise<Buffer> {
  const document = await createDocument(data, deps);
  onPrint();
  return Buffer.from(await deps.pdfPrinter.print(document, signal));
}

/** The HTML document of a report, with its fonts. */
export async function createDocument(data: ReportData, { log }: Pick<PdfDeps, 'log'>): Promise<string> {
  const sheet = reportStyles({ footer: `Cost report ${data.reportId}`, families: fontFamilies });
  // The page has the name of the scenario already.
  const drawn = { ...data, scenario: { name: '' } };
  const charts = chartsOfReport(data).map((kind) => drawChart(kind, drawn, 'light', chartHeight));
  // The fonts depend on the characters of the document.
  const { rules, missing } = await fontFaces(reportDocument(data, { styles: sheet, charts }));
  if (missing.length > 0) {
    log.warn('report has characters without a glyph', { report_id: data.reportId, characters: missing.join('') });
  }
  return reportDocument(data, { styles: `${rules}\n${sheet}`, charts });
}

/**
 * In pixels, 800 of which are the width of the text. Three charts fit on a page.
 */
const chartHeight = 340;

/** Without charts that would be empty. The cost by service is in a table. */
function chartsOfReport({ totals }: ReportData): ChartKind[] {
  return [
    ...(totals.logs > 0 ? (['cost-over-time', 'logs-over-time'] as const) : []),
    ...(totals.pii_logs > 0 ? (['pii-by-type'] as const) : []),
  ];
}

/** Prints HTML documents. Nothing is started before the first one. */
export interface PdfPrinter {
  /**
   * Prints a document that contains everything it shows: scripts do not run, and every request but
   * `data:` fails. It rejects if the browser hangs, crashes or does not start; the next call then
   * starts another one.
   */
  print(html: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the browser, and with it what is being printed. */
  close(): Promise<void>;
}

interface PdfPrinterOptions {
  /** @param timeoutMs the longest time that a command to the browser can take. */
  launch: (timeoutMs: number) => Promise<Browser>;
  /** The longest time of a step of printing: many times that of the longest report. */
  timeoutMs?: number;
  /** The number of documents after which the browser is replaced, because its memory grows. */
  maxDocuments?: number;
}

interface Instance {
  readonly browser: Promise<Browser>;
  started: number;
  active: number;
}

/** Keeps one browser warm. Documents are printed in pages of their own, concurrently. */
export function createPdfPrinter({ launch, timeoutMs = 2 * minute, maxDocuments = 50 }: PdfPrinterOptions): PdfPrinter {
  let current: Instance | undefined;
  const end = async (instance: Instance) => {
    if (current === instance) current = undefined;
    await instance.browser.then(closeOrKill, () => {});
  };
  const start = () => {
    const instance: Instance = { browser: launch(timeoutMs), started: 0, active: 0 };
    instance.browser.then((browser) => browser.once('disconnected', () => void end(instance))).catch(() => {});
    return instance;
  };

  return {
    print: async (html, signal) => {
      signal.throwIfAborted();
      current ??= start();
      const instance = current;
      instance.started += 1;
      instance.active += 1;
      // Later documents get a new browser. This one ends with its last document.
      if (instance.started >= maxDocuments) current = undefined;
      try {
        return await printPage(await instance.browser, html, signal, timeoutMs);
      } catch (error) {
        // The browser may hang.
        if (!signal.aborted) await end(instance);
        throw error;
      } finally {
        instance.active -= 1;
        if (instance.active === 0 && instance !== current) await end(instance);
      }
    },
    close: async () => {
      if (current) await end(current);
    },
  };
}

async function printPage(browser: Browser, html: string, signal: AbortSignal, timeout: number): Promise<Uint8Array> {
  const page = await browser.newPage();
  const close = () => void page.close().catch(() => {});
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    await page.setJavaScriptEnabled(false);
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      respond(request).catch(() => {});
    });
    await page.setContent(html, { waitUntil: 'load', timeout });
    return await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true, timeout });
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

function respond(request: HTTPRequest): Promise<void> {
  const url = request.url();
  return url.startsWith('data:') || url === 'about:blank' ? request.continue() : request.abort('blockedbyclient');
}

const closeLimitMs = 2_000;

/** Closes a browser, or kills it if it hangs. */
async function closeOrKill(browser: Browser): Promise<void> {
  const process = browser.process();
  const timer = setTimeout(() => process?.kill('SIGKILL'), closeLimitMs);
  try {
    await browser.close();
  } catch {
    process?.kill('SIGKILL');
  } finally {
    clearTimeout(timer);
  }
}
