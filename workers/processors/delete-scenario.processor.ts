import type { Report } from '../../shared/models/report.model.ts';
import { isDeletedForGood } from '../../shared/models/scenario.model.ts';
import { deleteScenarioQueue } from '../../shared/queues/delete-scenario.queue.ts';
import { defineProcessor } from '../define-processor.ts';
import { removeInPortions } from '../remove-in-portions.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/**
 * Removes the data of a deleted scenario, then its row. The row is removed last because the sweep finds a lost job by
 * the row. Jobs that write for the scenario concurrently read the row after writing. If the scenario is deleted, they
 * remove what they wrote.
 */
export const deleteScenarioProcessor = defineProcessor(
  deleteScenarioQueue,
  async (
    { scenarioId },
    { models, queues, reportFiles, log }: Pick<WorkerDeps, 'models' | 'queues' | 'reportFiles' | 'log'>,
    { reportProgress },
  ) => {
    if (!(await isDeletedForGood(models.scenario, scenarioId))) {
      log.warn('scenario not removed: it is not marked as deleted', { scenario_id: scenarioId });
      return { removed: 0 };
    }
    const ledgers = await models.usageLedger.deleteOne({ _id: scenarioId });
    let removed = ledgers.deletedCount;
    for (const { collection } of [models.usageDay, models.usageRecord, models.logBatch]) {
      removed += await removeInPortions(collection, { scenarioId }, reportProgress);
    }
    removed += await removeSchedules({ models, queues }, scenarioId);
    removed += await removeReports({ models, reportFiles }, scenarioId, reportProgress);
    const scenarios = await models.scenario.deleteOne({ _id: scenarioId });
    return { removed: removed + scenarios.deletedCount };
  },
);

async function removeSchedules(
  { models, queues }: Pick<WorkerDeps, 'models' | 'queues'>,
  scenarioId: string,
): Promise<number> {
  const schedules = await models.reportSchedule.find({ scenarioId }, { _id: 1 }).lean();
  for (const { _id } of schedules) await queues['run-report-schedule'].stopRepeating(_id);
  return (await models.reportSchedule.deleteMany({ scenarioId })).deletedCount;
}

/** Each record goes before its file, which ends an attempt in progress; the purge removes a file whose record is gone. */
async function removeReports(
  { models, reportFiles }: Pick<WorkerDeps, 'models' | 'reportFiles'>,
  scenarioId: string,
  reportProgress: () => void,
): Promise<number> {
  for (let removed = 0; ; removed += 1) {
    const report = await models.report.findOneAndDelete({ scenarioId }).lean<Report>();
    if (!report) return removed;
    if (report.fileId) await reportFiles.remove(report.fileId);
    reportProgress();
  }
}
