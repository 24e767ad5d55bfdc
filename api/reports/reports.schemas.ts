import type { Config } from '../../shared/config/config.ts';
import {
  type ReportDetail,
  type ReportDialect,
  type ReportFormat,
  type ReportStatus,
  reportDetails,
  reportDialects,
  reportFormats,
  reportStatuses,
} from '../../shared/reports/report.model.ts';
import { Joi, uuid } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';

export interface ReportCreate {
  format: ReportFormat;
  detail?: ReportDetail;
  dialect?: ReportDialect;
  title?: string;
  from?: Date;
  to?: Date;
}

export interface ReportListQuery {
  scenario_id?: string;
  status?: ReportStatus;
  format?: ReportFormat;
  page: number;
  page_size: number;
}

interface DownloadHeaders {
  Range?: string;
  'If-Range'?: string;
}

export const reportPath = Joi.object<{ id: string }>({ id: uuid().required() });

export const reportFormat = Joi.string().valid(...reportFormats);
export const reportDetail = Joi.string()
  .valid(...reportDetails)
  .description('Rows of a CSV report: usage by hour and service (the default), or every log entry.');

export const reportDialect = Joi.string()
  .valid(...reportDialects)
  .messages({ 'any.only': 'must be rfc4180 or excel' })
  .description('Of a CSV report: `excel` adds the byte order mark without which Excel does not read UTF-8.');

export const reportCreate = withPeriod(
  Joi.object<ReportCreate>({
    format: reportFormat.required(),
    detail: reportDetail,
    dialect: reportDialect,
    title: Joi.text().trim().characters(1, 200).visible().description('Default: the name of the scenario.'),
    ...periodFields,
  }),
);

export const reportCreateQuery = Joi.object<{ detail?: ReportDetail }>({
  detail: reportDetail.description('The same as `detail` of the body.'),
});

export const downloadHeaders = Joi.object<DownloadHeaders>({
  Range: Joi.string().description('One range of bytes, such as `bytes=0-1023`. Several ranges get the whole.'),
  'If-Range': Joi.string().description('The range applies only if the file still has this `ETag`.'),
});

export const reportListQuery = (pageSize: Config['pageSize']) =>
  Joi.object<ReportListQuery>({
    scenario_id: uuid(),
    status: Joi.string().valid(...reportStatuses),
    format: reportFormat,
    page: Joi.number().integer().min(1).max(1_000_000).default(1),
    page_size: Joi.number().integer().min(1).max(pageSize.max).default(pageSize.default),
  });
