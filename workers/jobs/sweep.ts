import { randomUUID } from 'node:crypto';
import type { Queues } from '../../shared/all-queues.ts';
import { closeAbandonedIntents } from '../../shared/audit/audit-outbox.ts';
import { hour, minute } from '../../shared/durations.ts';
import type { Models } from '../../shared/models.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import { addRenderingJob } from '../../shared/reports/rendering-jobs.ts';
import { unfinishedStatuses } from '../../shared/reports/report.model.ts';
import { repeatSchedule, runJobId } from '../../shared/reports/run-report-schedule.queue.ts';
import { deletionJobId } from '../../shared/scenarios/delete-scenario.queue.ts';

const interval = minute;

/**
 * Adds the jobs of scenarios marked as deleted, of audit events, of unfinished reports, of schedules that are due and of
 * purges, at once and then every minute. A job is missing if the API process ended before adding the job, or if Redis lost
 * the job. All workers can sweep concurrently, because a job id is added only once, and further jobs for audit events find
 * nothing to do.
 * @returns a function that ends the sweep.
 */
export function startSweep(options: { models: Models; queues: Queues; log: Log }): () => void {
  const { log } = options;
  const warn = (error: unknown) => log.warn('sweep failed', errorFields(error));
  const run = () => {
    sweepDeletedScenarios(options).catch(warn);
    sweepReports(options).catch(warn);
    sweepSchedules(options).catch(warn);
    ensurePurges(options).catch(warn);
    sweepAuditEvents(options).catch(warn);
  };
  run();
  const timer = setInterval(run, interval);
  return () => clearInterval(timer);
}

export async function sweepDeletedScenarios({ models, queues }: { models: Models; queues: Queues }): Promise<void> {
  const deleted = await models.scenario.find({ deletedAt: { $type: 'date' } }, { _id: 1 }).lean();
  for (const { _id: scenarioId } of deleted) {
    await queues['delete-scenario'].add({ scenarioId, requestId: randomUUID() }, { jobId: deletionJobId(scenarioId) });
  }
}

/** Few enough for one query; the others follow with the next sweep. */
const maxPerSweep = 1_000;
/** Older than a job needs to be added, so that the sweep has nothing to do as long as nothing was lost. */
const isLate = () => ({ $lt: new Date(Date.now() - minute) });

export async function sweepReports({ models, queues }: { models: Models; queues: Queues }): Promise<void> {
  const unfinished = await models.report
    .find({ status: { $in: unfinishedStatuses }, createdAt: isLate() }, { format: 1, createdBy: 1, slot: 1 })
    .sort({ createdAt: 1 })
    .limit(maxPerSweep)
    .lean();
  for (const report of unfinished) await addRenderingJob({ models, queues }, report, randomUUID());
}

export async function sweepSchedules({ models, queues }: { models: Models; queues: Queues }): Promise<void> {
  const late = await models.reportSchedule
    .find({ nextRunAt: isLate() })
    .sort({ nextRunAt: 1 })
    .limit(maxPerSweep)
    .lean();
  for (const schedule of late) {
    const { _id: scheduleId, nextRunAt } = schedule;
    const payload = { scheduleId, requestId: randomUUID() };
    if (nextRunAt) await queues['run-report-schedule'].add(payload, { jobId: runJobId(scheduleId, nextRunAt) });
    await queues['run-report-schedule'].repeat(scheduleId, repeatSchedule(schedule), payload);
  }
}

/** Purges run every hour in one of all workers. Redis keeps the schedule; it is added once, or again if Redis lost it. */
export async function ensurePurges({ queues }: { queues: Queues }): Promise<void> {
  if (await queues.purge.isRepeated('purge')) return;
  await queues.purge.repeat('purge', { every: hour }, { requestId: randomUUID() });
}

/** Adds a job for events that wait, and for operations whose process ended. */
export async function sweepAuditEvents({ models, queues }: { models: Models; queues: Queues }): Promise<void> {
  await closeAbandonedIntents(models);
  const waiting =
    (await models.scenario.exists({ 'pendingAudit.at': { $type: 'date' } })) ??
    (await models.auditIntent.exists({ closed: true }));
  // Without deduplication, so that no state of Redis can prevent it.
  if (waiting) await queues['append-audit-records'].add({ requestId: randomUUID() });
}
