import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { isMongoUnavailable } from '../../shared/connections/mongo.ts';
import { readScenarioUsage } from '../../shared/cost/read-scenario-usage.ts';
import { pricingOf } from '../../shared/cost/scenario-cost.ts';
import { minute, second } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import type { FileId, StoredFile } from '../../shared/files/file-store.ts';
import { queuedBefore } from '../../shared/ingest/log-batch.model.ts';
import { PermanentFailure } from '../../shared/queues/job-failure.ts';
import {
  addRenderingJob,
  type RenderReportPayload,
  type RenderReportResult,
  renderCsvQueue,
  renderReportQueue,
} from '../../shared/reports/render-report.queue.ts';
import { type Report, unfinishedStatuses } from '../../shared/reports/report.model.ts';
import { isDeletedForGood, type Scenario } from '../../shared/scenarios/scenario.model.ts';
import { type Attempt, defineProcessor, isLate, maxPerSweep, type SweepDeps } from '../jobs/define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { createDocument } from './pdf/report-document.ts';
import { entryLines, hourLines } from './report-csv.ts';
import { readReportData } from './report-data.ts';

/** How often a report is rendered before it has failed. An attempt of a worker that dies counts. */
const maxAttempts = 5;

/**
 * Makes one attempt at rendering a report. The report names the file of the attempt before the
 * first byte is written, and becomes ready by one update that depends on it. So one of two
 * concurrent attempts wins. The next attempt removes the file of a killed worker; if the report is
 * deleted before, the purge does.
 */
async function attemptReport(
  { reportId: _id }: RenderReportPayload,
  deps: WorkerDeps,
  { reportProgress }: Attempt,
): Promise<RenderReportResult> {
  const { models, reportFiles } = deps;
  // The job of a failed report runs again only if it was retried on the dashboard.
  await models.report.updateOne(
    { _id, status: 'failed' },
    { $set: { status: 'queued', progress: 0, attempts: 0 }, $unset: { error: 1 } },
  );
  const fileId = new mongo.ObjectId();
  // The report before the update names the file that an earlier attempt may have left.
  const report = await models.report
    .findOneAndUpdate(
      { _id, status: { $in: unfinishedStatuses } },
      { $set: { status: 'rendering', progress: 0, fileId, updatedAt: new Date() }, $inc: { attempts: 1 } },
      { returnDocument: 'before' },
    )
    .lean<Report>();
  if (!report) return { outcome: 'gone' };
  const update: UpdateAttempt = async (change) => {
    const filter = { _id, status: 'rendering', fileId } as const;
    const { matchedCount } = await models.report.updateOne(filter, { $set: { ...change, updatedAt: new Date() } });
    return matchedCount === 1;
  };
  const fail = async (error: unknown) => {
    deps.log.error('report failed', { report_id: _id, error: error instanceof Error ? error.message : String(error) });
    const reason = 'The report could not be rendered.';
    const failure = error instanceof AppError ? error : new AppError('INTERNAL_ERROR', reason, { cause: error });
    const { code, message } = failure;
    await update({ status: 'failed', error: { code, message } });
    return new PermanentFailure(failure);
  };
  if (report.attempts >= maxAttempts) {
    const reason = `The report could not be rendered in ${maxAttempts} attempts.`;
    throw await fail(new AppError('INTERNAL_ERROR', reason));
  }
  const watch = watchAttempt(update, reportProgress);
  try {
    if (report.fileId) await reportFiles.remove(report.fileId);
    const scenario = await models.scenario.findOne({ _id: report.scenarioId, deletedAt: null }).lean();
    if (!scenario) {
      // The deletion may have missed a report that was requested at the same time.
      if (await isDeletedForGood(models.scenario, report.scenarioId)) await models.report.deleteOne({ _id });
      return { outcome: 'gone' };
    }
    if (!(await areEntriesProcessed(models, report))) {
      const failure = unavailable('Log entries that were accepted before the report are not processed yet.', 1);
      throw Date.now() - report.createdAt.getTime() > maxEntriesWait ? await fail(failure) : failure;
    }
    const file = await renderReport(report, scenario, fileId, watch, deps);
    if (await update({ status: 'ready', progress: 100, ...file })) return { outcome: 'ready' };
    await reportFiles.remove(fileId);
    return { outcome: 'gone' };
  } catch (error) {
    if (watch.signal.aborted) return { outcome: 'gone' };
    // An attempt that found a part unavailable does not count.
    const isUnavailable = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
    if (isUnavailable) await models.report.updateOne({ _id, status: 'rendering', fileId }, { $inc: { attempts: -1 } });
    const isLast = report.attempts + 1 >= maxAttempts;
    if (!isLast || isUnavailable || isMongoUnavailable(error) || error instanceof PermanentFailure) throw error;
    throw await fail(error);
  } finally {
    watch.end();
  }
}

/** Its sweep adds the missing jobs of both queues. */
export const renderReportProcessor = defineProcessor(renderReportQueue, attemptReport, { sweep: sweepReports });

export const renderCsvProcessor = defineProcessor(renderCsvQueue, attemptReport);

/** A report waits for all entries that were accepted before it, and fails after this time. */
const maxEntriesWait = 10 * minute;
/** An attempt waits so long for a worker; then other reports have their turn. */
const entriesWait = 2 * second;
const entriesPause = 50;

async function areEntriesProcessed(
  { logBatch }: WorkerDeps['models'],
  { scenarioId, createdAt }: Pick<Report, 'scenarioId' | 'createdAt'>,
): Promise<boolean> {
  const queued = queuedBefore(createdAt, [scenarioId]);
  for (const endsAt = performance.now() + entriesWait; performance.now() < endsAt; await sleep(entriesPause)) {
    if ((await logBatch.exists(queued)) === null) return true;
  }
  return false;
}

/** Adds missing jobs of reports of both formats. */
export async function sweepReports({ models, queues }: SweepDeps): Promise<void> {
  const unfinished = await models.report
    .find({ status: { $in: unfinishedStatuses }, createdAt: isLate() }, { format: 1, createdBy: 1, createdAt: 1 })
    .sort({ createdAt: 1 })
    .limit(maxPerSweep)
    .lean();
  for (const report of unfinished) await addRenderingJob({ models, queues }, report, randomUUID());
}

/**
 * Changes a report on behalf of the attempt that writes its file.
 * @returns false if the attempt no longer owns the report: it was deleted, or another attempt has
 * begun.
 */
type UpdateAttempt = (change: Partial<Report>) => Promise<boolean>;

/**
 * Writes the progress of an attempt to its report once a second, and then finds out whether the
 * attempt still owns it: otherwise, it aborts `signal`. While the database is unreachable, the
 * attempt goes on.
 * @param onStep is called at most once a second, if there were parts.
 */
export function watchAttempt(update: UpdateAttempt, onStep: () => void) {
  const abort = new AbortController();
  let progress = 0;
  let hasMoved = false;
  const check = async () => {
    if (!(await update({ progress }))) abort.abort();
    if (hasMoved) onStep();
    hasMoved = false;
  };
  const timer = setInterval(() => void check().catch(() => {}), second);
  return {
    signal: abort.signal,
    /** @param value in per cent */
    setProgress: (value: number) => {
      progress = value;
    },
    onPart: () => {
      hasMoved = true;
    },
    end: () => clearInterval(timer),
  };
}

/** All days that timestamps can have: a report has few attempts, and nothing waits for it. */
const maxUncounted = 50_000;

async function renderReport(
  report: Report,
  scenario: Scenario,
  fileId: FileId,
  { signal, setProgress, onPart }: ReturnType<typeof watchAttempt>,
  deps: WorkerDeps,
): Promise<StoredFile> {
  const write = (parts: AsyncIterable<Uint8Array> | readonly Uint8Array[]) =>
    deps.reportFiles.put(fileId, partsOfFile(parts, report.dialect === 'excel', onPart), signal);
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
