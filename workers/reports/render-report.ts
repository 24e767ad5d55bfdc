import { Readable } from 'node:stream';
import type { FileId } from '../../shared/files/file-store.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import type { ReportFiles, StoredFile } from '../../shared/reports/report-files.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { entryLines } from './csv/entry-rows.ts';
import { type PdfDeps, renderPdf } from './pdf/render-pdf.ts';
import { type CostDeps, pricingOf, readReportData, writeHourLines } from './report-cost.ts';

export type RenderDeps = CostDeps & PdfDeps & { reportFiles: ReportFiles };

/** One attempt at rendering a report. */
interface Rendering {
  report: Report;
  scenario: Scenario;
  fileId: FileId;
  signal: AbortSignal;
  /** Begins a step, or goes on with it. @param progress in per cent */
  step: (name: string, progress: number) => void;
  /** Called for every part of the file. */
  onPart: () => void;
}

/** Renders a report into its file. */
export async function renderReport(rendering: Rendering, deps: RenderDeps): Promise<StoredFile> {
  const { report, scenario, fileId, signal } = rendering;
  const write = (bytes: AsyncIterable<Uint8Array>) =>
    deps.reportFiles.write(fileId, observed(bytes, rendering.onPart), signal);
  if (report.format === 'pdf') {
    rendering.step('read usage', 0);
    const data = await readReportData(report, scenario, deps);
    rendering.step('draw charts', 25);
    const pdf = await renderPdf(data, deps, signal, () => rendering.step('print', 50));
    rendering.step('store', 90);
    return write(pdf instanceof Readable ? pdf : Readable.from([pdf]));
  }
  rendering.step('write lines', 0);
  if (report.detail === 'entries') return write(await allEntryLines(rendering, deps));
  return writeHourLines(report, scenario, deps, write);
}

async function allEntryLines(
  { report, scenario, step }: Rendering,
  deps: RenderDeps,
): Promise<AsyncIterable<Uint8Array>> {
  const { logBatch } = deps.models;
  const total = await logBatch.countDocuments({ scenarioId: scenario._id });
  let done = 0;
  const terms = await pricingOf(report, scenario, deps);
  return entryLines(deps.models, scenario._id, report, terms, () => {
    done += 1;
    step('write lines', Math.min(99, Math.floor((100 * done) / total)));
  });
}

async function* observed(bytes: AsyncIterable<Uint8Array>, onPart: () => void): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    onPart();
    yield part;
  }
}
