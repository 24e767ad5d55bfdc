import { randomUUID } from 'node:crypto';
import { insertOnce } from '../../shared/connections/mongo.ts';
import { digestUuid } from '../../shared/crypto/sha256.ts';
import { second } from '../../shared/durations.ts';
import { nextRuns } from '../../shared/reports/cron-times.ts';
import { addRenderingJob } from '../../shared/reports/render-report.queue.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import {
  type RunReportScheduleResult,
  repeatSchedule,
  runJobId,
  runReportScheduleQueue,
} from '../../shared/reports/run-report-schedule.queue.ts';
import { isDeletedForGood, type Scenario } from '../../shared/scenarios/scenario.model.ts';
import { defineProcessor, isLate, maxPerSweep, type SweepDeps } from '../jobs/define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/** The clocks of the machines may differ; runs of a schedule are minutes apart. */
const clockTolerance = 30 * second;

/**
 * Requests the report of a run that is due. The id of the report follows from the schedule and the
 * time of the run, so a repeated job finds it there; then the time of the next run replaces that of
 * this one, so a later job finds nothing due. Runs that were missed while no worker ran are made up
 * for by one.
 */
export const runReportScheduleProcessor = defineProcessor(
  runReportScheduleQueue,
  async ({ scheduleId, requestId }, deps): Promise<RunReportScheduleResult> => {
    const { models, queues, log } = deps;
    const schedule = await models.reportSchedule.findById(scheduleId).lean<ReportSchedule>();
    const runAt = schedule?.nextRunAt;
    if (!schedule || !runAt) {
      await queues['run-report-schedule'].stopRepeating(scheduleId);
      return { reportId: null };
    }
    const now = new Date();
    if (runAt.getTime() > now.getTime() + clockTolerance) return { reportId: null };
    const [nextRunAt = null] = nextRuns(schedule, runAt > now ? runAt : now, 1);
    const claim = { _id: scheduleId, nextRunAt: runAt };

    const scenario = await models.scenario.findOne({ _id: schedule.scenarioId, deletedAt: null }).lean<Scenario>();
    if (!scenario || !(await mayRead(scenario, schedule, deps))) {
      log.warn('scheduled report not requested: the scenario is deleted, or is not that of the owner of the schedule', {
        schedule_id: scheduleId,
      });
      await models.reportSchedule.updateOne(claim, { $set: { nextRunAt } });
      return { reportId: null };
    }
    const report = reportOf(schedule, scenario, runAt, now);
    await insertOnce(models.report, report);
    if (await isDeletedForGood(models.scenario, scenario._id)) {
      await models.report.deleteOne({ _id: report._id });
      return { reportId: null };
    }
    await models.reportSchedule.updateOne(claim, { $set: { nextRunAt, lastRunAt: now, lastReportId: report._id } });
    await addRenderingJob({ models, queues }, report, requestId);
    return { reportId: report._id };
  },
  { sweep: sweepSchedules },
);

/** Adds the jobs of runs that are due, and restores the schedules that Redis has lost. */
export async function sweepSchedules({ models, queues }: SweepDeps): Promise<void> {
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

/** With ACCESS=own, the owner of a schedule may have lost the scenario, or never owned it. */
async function mayRead(
  { createdBy: owner }: Scenario,
  schedule: ReportSchedule,
  { models, config }: WorkerDeps,
): Promise<boolean> {
  const reader = schedule.createdBy;
  if (config.auth.access === 'team' || !owner || owner === reader) return true;
  if (!reader) return false;
  return (await models.user.exists({ _id: reader, role: 'admin' })) !== null;
}

function reportOf(schedule: ReportSchedule, scenario: Scenario, runAt: Date, now: Date): Report {
  return {
    _id: reportIdOf(schedule._id, runAt),
    scenarioId: scenario._id,
    scheduleId: schedule._id,
    format: schedule.format,
    ...(schedule.detail && { detail: schedule.detail }),
    ...(schedule.dialect && { dialect: schedule.dialect }),
    title: scenario.name,
    status: 'queued',
    progress: 0,
    attempts: 0,
    createdBy: schedule.createdBy ?? null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The same for every attempt of the run. */
const reportIdOf = (scheduleId: string, runAt: Date) => digestUuid(`${scheduleId} ${runAt.toISOString()}`);
