import { type Static, Type } from 'typebox';
import type { Config } from '../../shared/config/config.ts';
import { day } from '../../shared/durations.ts';
import {
  type Report,
  reportDetails,
  reportDialects,
  reportFormats,
  reportStatuses,
} from '../../shared/reports/report.model.ts';
import { count, nullable, oneOf, pageOf, timestamp, uuid } from '../http/response-types.ts';

export const reportResponse = Type.Object(
  {
    id: uuid(),
    scenario_id: uuid(),
    schedule_id: nullable(uuid(), { description: 'The schedule that requested it.' }),
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
    created_by: nullable(uuid(), { description: 'The account that owns it; null without an owner.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    expires_at: timestamp({ description: 'From then on, the file is removed.' }),
  },
  { $id: 'Report' },
);
type ReportResponse = Static<typeof reportResponse>;

export const reportListResponse = pageOf(reportResponse, { $id: 'ReportList' });

export const presentDialect = ({ format, dialect }: Pick<Report, 'format' | 'dialect'>) =>
  format === 'csv' ? (dialect ?? 'rfc4180') : null;

export function presentReport(
  report: Report,
  { reportRetentionDays }: Pick<Config, 'reportRetentionDays'>,
): ReportResponse {
  const { createdAt } = report;
  return {
    id: report._id,
    scenario_id: report.scenarioId,
    schedule_id: report.scheduleId ?? null,
    format: report.format,
    detail: report.detail ?? null,
    dialect: presentDialect(report),
    title: report.title,
    from: report.from?.toISOString() ?? null,
    to: report.to?.toISOString() ?? null,
    status: report.status,
    progress: report.progress,
    size_bytes: report.sizeBytes ?? null,
    sha256: report.sha256 ?? null,
    error: report.error ?? null,
    created_by: report.createdBy ?? null,
    created_at: createdAt.toISOString(),
    updated_at: report.updatedAt.toISOString(),
    expires_at: new Date(createdAt.getTime() + reportRetentionDays * day).toISOString(),
  };
}
