import { readScenarioUsage } from '../../shared/cost/read-scenario-usage.ts';
import { pricingOf } from '../../shared/cost/scenario-cost.ts';
import type { FileId, StoredFile } from '../../shared/files/file-store.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { createDocument } from './pdf/report-document.ts';
import { entryLines, hourLines } from './report-csv.ts';
import { readReportData } from './report-data.ts';

/** One attempt at rendering a report. */
interface Rendering {
  report: Report;
  scenario: Scenario;
  fileId: FileId;
  signal: AbortSignal;
  /** @param progress in per cent */
  setProgress: (progress: number) => void;
  /** Called for every part of the file. */
  onPart: () => void;
}

/** Usage of all days that timestamps can have: a report has few attempts, and nothing waits for it. */
const maxUncounted = 50_000;

/** Renders a report into its file. */
export async function renderReport(rendering: Rendering, deps: WorkerDeps): Promise<StoredFile> {
  const { report, scenario, fileId, signal, setProgress } = rendering;
  const write = (parts: AsyncIterable<Uint8Array> | readonly Uint8Array[]) =>
    deps.reportFiles.put(fileId, partsOfFile(parts, report.dialect === 'excel', rendering.onPart), signal);
  const pricing = { ...(await pricingOf(scenario, deps)), from: report.from, to: report.to };
  const usageDeps = { ...deps, maxUncounted };
  if (report.format === 'pdf') {
    const data = await readReportData(report, scenario, pricing, usageDeps);
    setProgress(25);
    const document = await createDocument(data, deps.log);
    setProgress(50);
    const pdf = await deps.pdfPrinter.print(document, signal);
    setProgress(90);
    return write([pdf]);
  }
  if (report.detail === 'entries') {
    const total = await deps.models.logBatch.countDocuments({ scenarioId: scenario._id });
    let done = 0;
    const onBatch = () => {
      done += 1;
      setProgress(Math.min(99, Math.floor((100 * done) / total)));
    };
    return write(entryLines(deps.models, scenario._id, pricing, onBatch));
  }
  // All lines are written again if a roll-up overtakes the read.
  return readScenarioUsage(usageDeps, scenario._id, pricing, (readDays) =>
    write(
      hourLines(
        readDays(() => 'hours'),
        pricing,
      ),
    ),
  );
}

/** @param isMarked adds the byte order mark without which Excel does not read UTF-8. */
async function* partsOfFile(
  parts: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  isMarked: boolean,
  onPart: () => void,
): AsyncGenerator<Uint8Array> {
  if (isMarked) yield Buffer.from('\uFEFF');
  for await (const part of parts) {
    onPart();
    yield part;
  }
}
