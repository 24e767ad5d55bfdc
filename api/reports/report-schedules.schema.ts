import { type Static, Type } from 'typebox';
import type { Config } from '../../shared/config/config.ts';
import { findCronError, isTimeZone } from '../../shared/reports/cron-times.ts';
import {
  type ReportDetail,
  type ReportDialect,
  type ReportFormat,
  reportDetails,
  reportDialects,
  reportFormats,
} from '../../shared/reports/report.model.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import { Joi, uuid } from '../http/joi.ts';
import { type PageQuery, pageFields } from '../http/paging.ts';
import { nullable, oneOf, pageOf, timestamp, uuid as uuidText } from '../http/response-types.ts';
import { unknownZone } from '../http/validate.ts';
import { presentDialect, reportDetail, reportDialect, reportFormat } from './reports.schema.ts';

const fields = {
  id: uuidText(),
  scenario_id: uuidText(),
  format: oneOf(reportFormats),
  detail: nullable(oneOf(reportDetails), { description: 'The rows of CSV reports; null for PDF.' }),
  dialect: nullable(oneOf(reportDialects), { description: 'Null for PDF.' }),
  cron: Type.String(),
  timezone: Type.String(),
  enabled: Type.Boolean(),
  next_run_at: nullable(timestamp(), { description: 'Null while the schedule is disabled.' }),
  last_run_at: nullable(timestamp()),
  last_report_id: nullable(uuidText()),
  created_by: nullable(uuidText(), { description: 'The account that owns it; null without an owner.' }),
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

interface ReportScheduleCreate {
  scenario_id: string;
  format: ReportFormat;
  detail?: ReportDetail;
  dialect?: ReportDialect;
  cron: string;
  timezone: string;
  enabled: boolean;
}

export type ReportScheduleUpdate = Partial<Omit<ReportScheduleCreate, 'scenario_id'>>;

interface ReportScheduleListQuery extends PageQuery {
  scenario_id?: string;
  enabled?: boolean;
}

/** The most items of `next_runs`. */
const maxRuns = 5;

const cron = Joi.string()
  .trim()
  .custom((text: string, helpers) => {
    const error = findCronError(text);
    return error === undefined ? text.replaceAll(/\s+/g, ' ') : helpers.message({ custom: error });
  })
  .description(
    'Minute, hour, day, month and weekday, with seconds before them if there are six fields; at most every 10 minutes.',
  );
const timezone = Joi.name()
  .known(isTimeZone, unknownZone)
  .description(
    'IANA time zone of the expression. A local time that its clock skips runs once, later by as much as the clock skips; one that it repeats runs once, the first time.',
  );
const enabled = Joi.boolean().strict();

export const schedulePath = Joi.object<{ id: string }>({ id: uuid().required() });

export const scheduleCreate = Joi.object<ReportScheduleCreate>({
  scenario_id: uuid().required(),
  format: reportFormat.required(),
  detail: reportDetail,
  dialect: reportDialect,
  cron: cron.required(),
  timezone: timezone.default('UTC'),
  enabled: enabled.default(true),
});

export const scheduleUpdate = Joi.object<ReportScheduleUpdate>({
  format: reportFormat,
  detail: reportDetail,
  dialect: reportDialect,
  cron,
  timezone,
  enabled,
}).min(1);

export const scheduleQuery = Joi.object<{ runs?: number }>({
  runs: Joi.number().integer().min(1).max(maxRuns).description('Adds so many of the next runs, as `next_runs`.'),
});

export const scheduleListQuery = (pageSize: Config['pageSize']) =>
  Joi.object<ReportScheduleListQuery>({
    scenario_id: uuid(),
    enabled: Joi.boolean(),
    ...pageFields(pageSize),
  });
