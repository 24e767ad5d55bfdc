import Joi from 'joi';
import { day, minute } from '../durations.ts';
import { cappedBackoff, defineQueue, type JobPayload, type RepeatTimes } from '../queues/define-queue.ts';

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
  payload: Joi.object<RunReportSchedulePayload>({
    scheduleId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
  }),
  jobName: () => 'run report schedule',
  concurrency: 5,
  // The sweep adds a job again for a run that is still due.
  attempts: 10,
  backoff: cappedBackoff(minute),
  maxStalledCount: 10,
  keepCompleted: { count: 100 },
  keepFailed: { age: 7 * day },
});

export const repeatSchedule = ({ cron, timezone }: { cron: string; timezone: string }): RepeatTimes => ({
  pattern: cron,
  tz: timezone,
});

/** Id of the job that the sweep adds for a run that is late. */
export const runJobId = (scheduleId: string, runAt: Date) => `run-${scheduleId}-${runAt.getTime()}`;
