import { type Static, Type } from 'typebox';
import { reportDetails, reportDialects, reportFormats } from '../../shared/reports/report.model.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import { nullable, oneOf, pageOf, timestamp, uuid } from '../http/response-types.ts';
import { presentDialect } from './reports.presenter.ts';

const fields = {
  id: uuid(),
  scenario_id: uuid(),
  format: oneOf(reportFormats),
  detail: nullable(oneOf(reportDetails), { description: 'The rows of CSV reports; null for PDF.' }),
  dialect: nullable(oneOf(reportDialects), { description: 'Null for PDF.' }),
  cron: Type.String(),
  timezone: Type.String(),
  enabled: Type.Boolean(),
  next_run_at: nullable(timestamp(), { description: 'Null while the schedule is disabled.' }),
  last_run_at: nullable(timestamp()),
  last_report_id: nullable(uuid()),
  created_by: nullable(uuid(), { description: 'The account that owns it; null without an owner.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const scheduleResponse = Type.Object(fields, { $id: 'ReportSchedule' });
export const scheduleWithRunsResponse = Type.Object(
  { ...fields, next_runs: Type.Optional(Type.Array(timestamp())) },
  { $id: 'ReportScheduleWithRuns' },
);
export const scheduleListResponse = pageOf(scheduleResponse, { $id: 'ReportScheduleList' });

export function presentSchedule(schedule: ReportSchedule): Static<typeof scheduleResponse> {
  return {
    id: schedule._id,
    scenario_id: schedule.scenarioId,
    format: schedule.format,
    detail: schedule.detail ?? null,
    dialect: presentDialect(schedule),
    cron: schedule.cron,
    timezone: schedule.timezone,
    enabled: schedule.enabled,
    next_run_at: schedule.nextRunAt?.toISOString() ?? null,
    last_run_at: schedule.lastRunAt?.toISOString() ?? null,
    last_report_id: schedule.lastReportId,
    created_by: schedule.createdBy ?? null,
    created_at: schedule.createdAt.toISOString(),
    updated_at: schedule.updatedAt.toISOString(),
  };
}
