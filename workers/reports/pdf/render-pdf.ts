import type { ChartThreads } from '../../../shared/charts/chart-threads.ts';
import { fontFamilies } from '../../../shared/fonts.ts';
import type { PdfPrinter } from '../../browser/pdf-printer.ts';
import type { ReportData } from '../report-data.ts';
import { fontFaces } from './font-faces.ts';
import { reportDocument } from './report-document.ts';
import { reportStyles } from './report-styles.ts';

/** What the rendering of a PDF needs of a worker. */
export interface PdfDeps {
  readonly pdfPrinter: PdfPrinter;
  readonly chartThreads: Pick<ChartThreads, 'drawSvg'>;
}

/**
 * Renders a report as PDF. It rejects when `signal` is aborted, and when the browser hangs or crashes: the job is then
 * retried.
 */
export async function renderPdf(data: ReportData, deps: PdfDeps, signal: AbortSignal): Promise<Buffer> {
  return Buffer.from(await deps.pdfPrinter.print(await createDocument(data, deps), signal));
}

/** The HTML document of a report, with its fonts. */
export async function createDocument(
  data: ReportData,
  { chartThreads }: Pick<PdfDeps, 'chartThreads'>,
): Promise<string> {
  const sheet = reportStyles({ footer: `Cost report ${data.reportId}`, families: fontFamilies });
  const charts: string[] = [];
  // A chart without entries is empty.
  for (const kind of data.totals.logs === 0 ? [] : chartsOfReport) {
    charts.push(await chartThreads.drawSvg({ kind, data, theme: 'light' }));
  }
  // The fonts depend on the characters of the document.
  const fonts = await fontFaces(reportDocument(data, { styles: sheet, charts }));
  return reportDocument(data, { styles: `${fonts}\n${sheet}`, charts });
}

/** The cost by service stands in a table. */
const chartsOfReport = ['cost-over-time', 'logs-over-time', 'pii-by-type'] as const;
