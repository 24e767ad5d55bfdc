import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { isMongoUnavailable } from '../../shared/connections/mongo.ts';
import { minute, second } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import type { FileId } from '../../shared/files/file-store.ts';
import { queuedBefore } from '../../shared/ingest/log-batch.model.ts';
import { PermanentFailure } from '../../shared/queues/job-failure.ts';
import {
  addRenderingJob,
  type RenderReportPayload,
  type RenderReportResult,
  renderCsvQueue,
  renderReportQueue,
} from '../../shared/reports/render-report.queue.ts';
import {
  beginAttempt,
  maxReportAttempts,
  type Report,
  type ReportModel,
  refundAttempt,
  requeueReport,
  unfinishedStatuses,
  updateAttempt,
} from '../../shared/reports/report.model.ts';
import { isDeletedForGood } from '../../shared/scenarios/scenario.model.ts';
import { type Attempt, defineProcessor, isLate, maxPerSweep, type SweepDeps } from '../jobs/define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { type RenderDeps, renderReport } from './render-report.ts';

type Deps = RenderDeps & Pick<WorkerDeps, 'log'>;

/**
 * Makes one attempt at rendering a report. The report names the file of the attempt before the
 * first byte is written, and becomes ready by one update that depends on it. So one of two
 * concurrent attempts wins. The next attempt removes the file of a killed worker; if the report is
 * deleted before, the purge does.
 */
async function attemptReport(
  { reportId }: RenderReportPayload,
  deps: Deps,
  { reportProgress }: Attempt,
): Promise<RenderReportResult> {
  const { models, reportFiles } = deps;
  const attempt = { _id: reportId, fileId: new mongo.ObjectId() };
  // The job of a failed report runs again only if it was retried, by a route or on the dashboard.
  await requeueReport(models.report, reportId);
  const report = await beginAttempt(models.report, reportId, attempt.fileId);
  if (!report) return { outcome: 'gone' };
  const isLast = report.attempts + 1 >= maxReportAttempts;
  if (report.attempts >= maxReportAttempts) throw await fail(deps, attempt, tooManyAttempts());

  const watch = watchAttempt(models.report, attempt, reportProgress);
  try {
    if (report.fileId) await reportFiles.remove(report.fileId);
    const scenario = await models.scenario.findOne({ _id: report.scenarioId, deletedAt: null }).lean();
    if (!scenario) {
      // The deletion may have missed a report that was requested at the same time.
      if (await isDeletedForGood(models.scenario, report.scenarioId)) await models.report.deleteOne({ _id: reportId });
      return { outcome: 'gone' };
    }
    if (!(await areEntriesProcessed(models, report))) {
      const isLate = Date.now() - report.createdAt.getTime() > maxEntriesWait;
      const failure = unavailable('Log entries that were accepted before the report are not processed yet.', 1);
      throw isLate ? await fail(deps, attempt, failure) : failure;
    }
    const rendering = {
      report,
      scenario,
      fileId: attempt.fileId,
      signal: watch.signal,
      setProgress: (progress: number) => watch.setProgress(progress),
      onPart: () => watch.step(),
    };
    const file = await renderReport(rendering, deps);
    if (await updateAttempt(models.report, attempt, { status: 'ready', progress: 100, ...file })) {
      return { outcome: 'ready' };
    }
    await reportFiles.remove(attempt.fileId);
    return { outcome: 'gone' };
  } catch (error) {
    if (watch.signal.aborted) return { outcome: 'gone' };
    if (isUnavailable(error)) await refundAttempt(models.report, attempt);
    if (!isLast || isMongoUnavailable(error) || isUnavailable(error)) throw error;
    throw await fail(deps, attempt, error);
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
  { logBatch }: RenderDeps['models'],
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
    .find({ status: { $in: unfinishedStatuses }, createdAt: isLate() }, { format: 1, createdBy: 1, slot: 1 })
    .sort({ createdAt: 1 })
    .limit(maxPerSweep)
    .lean();
  for (const report of unfinished) await addRenderingJob({ models, queues }, report, randomUUID());
}

/** An attempt that found a part unavailable does not count. */
const isUnavailable = (error: unknown) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';

/** Ends a report that cannot be rendered. @returns the failure of its job. */
async function fail(
  { models, log }: Deps,
  attempt: Parameters<typeof updateAttempt>[1],
  error: unknown,
): Promise<PermanentFailure> {
  log.error('report failed', { report_id: attempt._id, error: error instanceof Error ? error.message : String(error) });
  const failure =
    error instanceof AppError
      ? error
      : new AppError('INTERNAL_ERROR', 'The report could not be rendered.', { cause: error });
  const { code, message } = failure;
  await updateAttempt(models.report, attempt, { status: 'failed', error: { code, message } });
  return new PermanentFailure(failure);
}

function tooManyAttempts(): AppError {
  return new AppError('INTERNAL_ERROR', `The report could not be rendered in ${maxReportAttempts} attempts.`);
}

const interval = second;

/** An attempt at rendering in progress. */
interface AttemptWatch {
  /**
   * Aborted when the attempt no longer owns the report: it was deleted, or another attempt has
   * begun.
   */
  readonly signal: AbortSignal;
  setProgress(progress: number): void;
  /** Called after each step, also of work whose progress is not known. */
  step(): void;
  end(): void;
}

/**
 * Writes the progress of an attempt to its report once a second, which also finds out whether the
 * report still exists. While the database is unreachable, the attempt goes on.
 * @param onStep is called at most once a second, if there were steps.
 */
export function watchAttempt(
  model: ReportModel,
  attempt: { _id: string; fileId: FileId },
  onStep: () => void,
): AttemptWatch {
  const abort = new AbortController();
  let progress = 0;
  let hasMoved = false;
  const check = async () => {
    const current = progress;
    if (!(await updateAttempt(model, attempt, { progress: current }))) abort.abort(new AttemptOver());
    if (hasMoved) onStep();
    hasMoved = false;
  };
  const timer = setInterval(() => {
    check().catch(() => {});
  }, interval);
  return {
    signal: abort.signal,
    setProgress: (value) => {
      progress = value;
    },
    step: () => {
      hasMoved = true;
    },
    end: () => clearInterval(timer),
  };
}

/** The reason of the signal of an attempt that no longer owns its report. */
class AttemptOver extends Error {
  override readonly name = 'AttemptOver';
}
