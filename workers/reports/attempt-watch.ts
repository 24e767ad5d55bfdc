import { second } from '../../shared/durations.ts';
import type { FileId } from '../../shared/files/file-store.ts';
import type { ReportModel } from '../../shared/reports/report.model.ts';
import { updateAttempt } from '../../shared/reports/report.model.ts';

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
