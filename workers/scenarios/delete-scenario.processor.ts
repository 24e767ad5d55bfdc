import { randomUUID } from 'node:crypto';
import { appendPendingEvents } from '../../shared/audit/audit-outbox.ts';
import { deleteDocument } from '../../shared/connections/mongo.ts';
import { unavailable } from '../../shared/errors.ts';
import type { Models } from '../../shared/models.ts';
import { deleteScenarioQueue, deletionJobId } from '../../shared/scenarios/delete-scenario.queue.ts';
import { isDeletedForGood } from '../../shared/scenarios/scenario.model.ts';
import { removeUsage } from '../../shared/usage/usage-store.ts';
import { defineProcessor, type SweepDeps } from '../jobs/define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/**
 * Removes the data of a deleted scenario, appends the audit records of its events, then removes its
 * row. The row is removed last because the sweep finds a lost job by the row. Jobs that write for
 * the scenario concurrently read the row after writing. If the scenario is deleted, they remove
 * what they wrote.
 */
export const deleteScenarioProcessor = defineProcessor(
  deleteScenarioQueue,
  async ({ scenarioId }, deps, { reportProgress }) => {
    const { models, log } = deps;
    if (!(await isDeletedForGood(models.scenario, scenarioId))) {
      log.warn('scenario not removed: it is not marked as deleted', { scenario_id: scenarioId });
      return { removed: 0 };
    }
    let removed = await removeUsage(models, scenarioId, reportProgress);
    removed += await removeSchedules(deps, scenarioId);
    removed += await removeReports(deps, scenarioId, reportProgress);
    await appendPendingEvents(deps, { scenarioId, onStep: reportProgress });
    return { removed: removed + (await removeRow(models, scenarioId)) };
  },
  { sweep: sweepDeletedScenarios },
);

export async function sweepDeletedScenarios({ models, queues }: SweepDeps): Promise<void> {
  const deleted = await models.scenario.find({ deletedAt: { $type: 'date' } }, { _id: 1 }).lean();
  for (const { _id: scenarioId } of deleted) {
    await queues['delete-scenario'].add({ scenarioId, requestId: randomUUID() }, { jobId: deletionJobId(scenarioId) });
  }
}

/** @returns the number of removed rows: 0 if it was removed before. */
async function removeRow({ scenario, auditIntent }: Models, id: string): Promise<number> {
  const row = await scenario.findById(id, { deletedIn: 1 }).lean();
  if (!row) return 0;
  const isCounted = row.deletedIn === undefined || !(await auditIntent.exists({ _id: row.deletedIn, closed: false }));
  if (!isCounted) throw unavailable('The bulk delete of the scenario is in progress.', 2);
  const { deletedCount } = await scenario.deleteOne({ _id: id, 'pendingAudit.at': { $not: { $type: 'date' } } });
  if (deletedCount === 0) throw unavailable('The scenario has new audit events.', 2);
  return deletedCount;
}

async function removeSchedules({ models, queues }: WorkerDeps, scenarioId: string): Promise<number> {
  const schedules = await models.reportSchedule.find({ scenarioId }, { _id: 1 }).lean();
  for (const { _id } of schedules) await queues['run-report-schedule'].stopRepeating(_id);
  return (await models.reportSchedule.deleteMany({ scenarioId })).deletedCount;
}

/**
 * Each record goes before its file, which ends an attempt in progress; the purge removes a file
 * whose record is gone.
 */
async function removeReports(
  { models, reportFiles }: WorkerDeps,
  scenarioId: string,
  reportProgress: () => void,
): Promise<number> {
  for (let removed = 0; ; removed += 1) {
    const report = await deleteDocument(models.report, { scenarioId });
    if (!report) return removed;
    if (report.fileId) await reportFiles.remove(report.fileId);
    reportProgress();
  }
}
