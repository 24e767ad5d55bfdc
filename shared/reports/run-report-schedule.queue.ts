import { defineQueue, type JobPayload, type RepeatTimes, requiredUuid } from '../queues/define-queue.ts';

interface RunReportSchedulePayload extends JobPayload {
  scheduleId: string;
}

export interface RunReportScheduleResult {
  /** The requested report; null if none was due. */
  reportId: string | null;
}

/** The jobs of a schedule come from a scheduler of BullMQ with the id of the schedule. */
export const runReportScheduleQueue = defineQueue<RunReportSchedulePayload, RunReportScheduleResult>()({
  name: 'run-report-schedule',
  payload: { scheduleId: requiredUuid },
  jobName: () => 'run report schedule',
  concurrency: 5,
});

export const repeatSchedule = ({ cron, timezone }: { cron: string; timezone: string }): RepeatTimes => ({
  pattern: cron,
  tz: timezone,
});

/** Id of the job that the sweep adds for a run that is late. */
export const runJobId = (scheduleId: string, runAt: Date) => `run-${scheduleId}-${runAt.getTime()}`;
