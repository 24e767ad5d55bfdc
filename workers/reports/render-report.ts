import { Readable } from 'node:stream';
import { type PdfDeps, renderPdf } from './pdf/render-pdf.ts';
import type { ReportData } from './report-data.ts';

/** The bytes of a PDF. */
export async function pdfBytes(data: ReportData, deps: PdfDeps, signal: AbortSignal): Promise<Readable> {
  const pdf = await renderPdf(data, deps, signal);
  return pdf instanceof Readable ? pdf : Readable.from([pdf]);
}
