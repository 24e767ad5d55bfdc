import type { Logger } from 'winston';
import type { ChartKind } from '../../../shared/cost/charts/chart-data.ts';
import type { ChartThreads } from '../../../shared/cost/charts/chart-threads.ts';
import type { ReportData } from '../report-data.ts';
import { fontFaces, fontFamilies } from './fonts.ts';
import type { PdfPrinter } from './pdf-printer.ts';
import { reportDocument } from './report-document.ts';
import { reportStyles } from './report-styles.ts';

/** Dependencies of the rendering of a PDF. */
export interface PdfDeps {
  readonly pdfPrinter: PdfPrinter;
  readonly chartThreads: Pick<ChartThreads, 'drawSvg'>;
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
export async function createDocument(
  data: ReportData,
  { chartThreads, log }: Pick<PdfDeps, 'chartThreads' | 'log'>,
): Promise<string> {
  const sheet = reportStyles({ footer: `Cost report ${data.reportId}`, families: fontFamilies });
  const charts: string[] = [];
  // The page has the name of the scenario already.
  const drawn = { ...data, scenario: { name: '' } };
  for (const kind of chartsOfReport(data)) {
    charts.push(await chartThreads.drawSvg({ kind, data: drawn, theme: 'light', height: chartHeight }));
  }
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
