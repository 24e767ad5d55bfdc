import type { Readable } from 'node:stream';
import type { Config } from '../../../shared/config/config.ts';
import type { Log } from '../../../shared/runtime/log.ts';
import type { ReportData } from '../report-data.ts';

/** What the rendering of a PDF needs of a worker. */
export interface PdfDeps {
  readonly config: Config;
  readonly log: Log;
}

/**
 * Renders a report as PDF. It rejects when `signal` is aborted, and when the browser hangs or crashes: the job is then
 * retried.
 */
export async function renderPdf(data: ReportData, _deps: PdfDeps, signal: AbortSignal): Promise<Readable | Buffer> {
  signal.throwIfAborted();
  throw new Error(`Report ${data.reportId}: PDF rendering is not part of this build.`);
}
