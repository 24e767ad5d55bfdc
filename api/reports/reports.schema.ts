import { type Static, Type } from 'typebox';
import type { Config } from '../../shared/config/config.ts';
import { day } from '../../shared/durations.ts';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { findCronError, isTimeZone } from '../../shared/reports/cron-times.ts';
import {
  type Report,
  type ReportDetail,
  type ReportDialect,
  type ReportFormat,
  type ReportStatus,
  reportDetails,
  reportDialects,
  reportFormats,
  reportStatuses,
} from '../../shared/reports/report.model.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import { Joi, knownName, periodFields, text, unknownZone, uuid, withPeriod } from '../http/input.ts';
import { type PageQuery, pageFields } from '../http/paging.ts';
import { count, nullable, oneOf, pageOf, present, timestamp, uuid as uuidText } from '../http/response-types.ts';

export const reportResponse = Type.Object(
  {
    id: uuidText(),
    scenario_id: uuidText(),
    schedule_id: nullable(uuidText(), { description: 'The schedule that requested it.' }),
    format: oneOf(reportFormats),
    detail: nullable(oneOf(reportDetails), { description: 'The rows of a CSV report; null for a PDF.' }),
    dialect: nullable(oneOf(reportDialects), { description: 'Null for a PDF.' }),
    title: Type.String(),
    from: nullable(timestamp()),
    to: nullable(timestamp()),
    status: oneOf(reportStatuses),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Per cent.' }),
    size_bytes: nullable(count()),
    sha256: nullable(Type.String({ description: 'The SHA-256 of the file, hexadecimal.' })),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    created_by: nullable(uuidText(), { description: 'The account that owns it; null without an owner.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    expires_at: timestamp({ description: 'From then on, the file is removed.' }),
  },
  { $id: 'Report' },
);
type ReportResponse = Static<typeof reportResponse>;

export const reportListResponse = pageOf(reportResponse, { $id: 'ReportList' });

const presentDialect = ({ format, dialect }: Pick<Report, 'format' | 'dialect'>) =>
  format === 'csv' ? (dialect ?? 'rfc4180') : null;

export function presentReport(
  report: Report,
  { reportRetentionDays }: Pick<Config, 'reportRetentionDays'>,
): ReportResponse {
  const expiresAt = new Date(report.createdAt.getTime() + reportRetentionDays * day);
  return present(reportResponse, { ...report, expiresAt }, { dialect: presentDialect(report) });
}

export interface ReportCreate {
  format: ReportFormat;
  detail?: ReportDetail;
  dialect?: ReportDialect;
  title?: string;
  from?: Date;
  to?: Date;
}

const reportFormat = Joi.string().valid(...reportFormats);
const reportDetail = Joi.string()
  .valid(...reportDetails)
  .description('Rows of a CSV report: usage by hour and service (the default), or every log entry.');

const reportDialect = Joi.string()
  .valid(...reportDialects)
  .messages({ 'any.only': 'must be rfc4180 or excel' })
  .description('Of a CSV report: `excel` adds the byte order mark without which Excel does not read UTF-8.');

export const reportCreate = withPeriod(
  Joi.object<ReportCreate>({
    format: reportFormat.required(),
    detail: reportDetail,
    dialect: reportDialect,
    title: text(1, 200).trim().description('Default: the name of the scenario.'),
    ...periodFields,
  }),
);

export const reportCreateQuery = Joi.object<{ detail?: ReportDetail }>({
  detail: reportDetail.description('The same as `detail` of the body.'),
});

export const downloadHeaders = Joi.object<{ Range?: string; 'If-Range'?: string }>({
  Range: Joi.string().description('One range of bytes, such as `bytes=0-1023`. Several ranges get the whole.'),
  'If-Range': Joi.string().description('The range applies only if the file still has this `ETag`.'),
});

export const reportListQuery = (pageSize: Config['pageSize']) =>
  Joi.object<PageQuery & { scenario_id?: string; status?: ReportStatus; format?: ReportFormat }>({
    scenario_id: uuid(),
    status: Joi.string().valid(...reportStatuses),
    format: reportFormat,
    ...pageFields(pageSize),
  });

/** @throws AppError VALIDATION_ERROR for `detail` and `dialect` of another format. */
export function requireCsv({
  format,
  ...fields
}: {
  format: ReportFormat;
  detail?: ReportDetail | undefined;
  dialect?: ReportDialect | undefined;
}): void {
  if (format === 'csv') return;
  const errors = (['detail', 'dialect'] as const)
    .filter((field) => fields[field] !== undefined)
    .map((field): FieldError => ({ field, error: 'is only for reports in CSV' }));
  if (errors.length > 0) throw validationError(errors);
}

// The schedules.

const scheduleFields = {
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

export const scheduleResponse = Type.Object(scheduleFields, { $id: 'ReportSchedule' });
export const scheduleWithRunsResponse = Type.Object(
  { ...scheduleFields, next_runs: Type.Optional(Type.Array(timestamp())) },
  { $id: 'ReportScheduleWithRuns' },
);
export const scheduleListResponse = pageOf(scheduleResponse, { $id: 'ReportScheduleList' });

export const presentSchedule = (schedule: ReportSchedule) =>
  present(scheduleResponse, schedule, { dialect: presentDialect(schedule) });

interface ReportScheduleCreate
  extends Pick<ReportSchedule, 'format' | 'detail' | 'dialect' | 'cron' | 'timezone' | 'enabled'> {
  scenario_id: string;
}

export type ReportScheduleUpdate = Partial<Omit<ReportScheduleCreate, 'scenario_id'>>;

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
const timezone = knownName(isTimeZone, unknownZone).description(
  'IANA time zone of the expression. A local time that its clock skips runs once, later by as much as the clock skips; one that it repeats runs once, the first time.',
);
const enabled = Joi.boolean().strict();

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
  Joi.object<PageQuery & { scenario_id?: string; enabled?: boolean }>({
    scenario_id: uuid(),
    enabled: Joi.boolean(),
    ...pageFields(pageSize),
  });
