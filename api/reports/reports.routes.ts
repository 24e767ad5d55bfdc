import type { Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import { AppError, validationError } from '../../shared/errors.ts';
import { type ByteRange, FileMissing, type FileStore } from '../../shared/files/file-store.ts';
import { errorFields } from '../../shared/process/log.ts';
import { addRenderingJob } from '../../shared/reports/render-report.queue.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import { withoutInvisible } from '../../shared/visible-text.ts';
import { keyOrTokenAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { parseRange } from '../http/byte-range.ts';
import { contentTag } from '../http/entity-tag.ts';
import { content, empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { scenarioPath } from '../scenarios/scenarios.schema.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import {
  downloadHeaders,
  presentReport,
  reportCreate,
  reportCreateQuery,
  reportListQuery,
  reportListResponse,
  reportPath,
  reportResponse,
} from './reports.schema.ts';
import { createReport, deleteReport, findReport, listReports, requireCsv, requireEntriesIn } from './reports.store.ts';

const tag: RouteTag = {
  name: 'reports',
  description: 'Usage and cost of a scenario as PDF or CSV, rendered by workers and kept for some days.',
};

const path = '/api/v1/reports';
const unknownReport = { NOT_FOUND: 'The report does not exist.' };
const fileHeaders = ['Accept-Ranges', 'Content-Disposition', 'Content-Length', 'Content-Type', 'ETag'] as const;
/** Requests that read the usage of a scenario at the same time. */
const maxConcurrent = 2;

/** `/api/v1/reports`, and the creation of reports under their scenario. */
export function reportRoutes({ config }: RouteSettings): Route[] {
  const withSlot = createCallerSlots(maxConcurrent);
  return [
    defineRoute({
      method: 'POST',
      path: '/api/v1/scenarios/{id}/reports',
      operationId: 'createReport',
      tag,
      summary: 'Request a report',
      description:
        'A worker renders it. A PDF shows totals, costs by service, charts and a table by hour. A CSV has one row per hour and service, with exact amounts: each column adds up to the totals of the metrics. With `detail=entries`, it has one row per log entry that is still kept, at first-tier prices.',
      access: keyOrTokenAccess('reports:write'),
      params: scenarioPath,
      query: reportCreateQuery,
      body: { name: 'ReportCreate', schema: reportCreate, example: { format: 'pdf', title: 'Peak season' } },
      responses: { 202: json(reportResponse, { description: 'Accepted', headers: ['Location'] }) },
      errors: { NOT_FOUND: 'The scenario does not exist.' },
      handle: async (request, { models, queues, log }) => {
        const { params, query, body, operation, requestId, reports, scenarios } = request;
        const detail = body.detail ?? query.detail;
        if (query.detail && query.detail !== detail) {
          throw validationError([{ field: 'detail', error: 'must be the same in body and query' }]);
        }
        const requested = { ...body, ...(detail && { detail }) };
        requireCsv(requested);
        const scenario = await findScenario(scenarios, params.id);
        await withSlot(request.caller, () => requireEntriesIn({ models, queues }, params.id, body));
        const report = await createReport({ reports, scenarios }, scenario, requested, operation);
        // The record alone requests the report. If Redis is unreachable, the workers' sweep adds
        // the job later.
        await addRenderingJob({ models: { report: reports.model }, queues }, report, requestId).catch(
          (error: unknown) => log.warn('report left to the sweep', errorFields(error)),
        );
        return reply(202, presentReport(report, config), { Location: `${path}/${report._id}` });
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listReports',
      tag,
      summary: 'List reports, the newest first',
      access: keyOrTokenAccess('reports:read'),
      query: reportListQuery(config.pageSize),
      compressed: 'each',
      responses: { 200: json(reportListResponse) },
      handle: async ({ query, reports }) => reply(200, await listReports(reports, query, config)),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}`,
      operationId: 'getReport',
      tag,
      summary: 'Read the state of a report',
      access: keyOrTokenAccess('reports:read'),
      params: reportPath,
      responses: { 200: json(reportResponse, { headers: ['ETag'] }) },
      errors: unknownReport,
      handle: async ({ params, reports }) => {
        const report = presentReport(await findReport(reports, params.id), config);
        return reply(200, report, { ETag: contentTag(report) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: 'deleteReport',
      tag,
      summary: 'Delete a report with its file, also while it is rendered',
      access: keyOrTokenAccess('reports:write'),
      params: reportPath,
      responses: { 204: empty() },
      errors: unknownReport,
      handle: async ({ params, reports }, { reportFiles, log }) => {
        const { fileId } = await deleteReport(reports, params.id);
        // The hourly purge removes a file without a report, if this fails.
        if (fileId) {
          await reportFiles
            .remove(fileId)
            .catch((error: unknown) => log.warn('file left to the purge', errorFields(error)));
        }
        return reply(204);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}/download`,
      operationId: 'downloadReport',
      tag,
      summary: 'Download the file of a report',
      access: keyOrTokenAccess('reports:read'),
      limit: { name: 'downloads', ofOperations: true },
      params: reportPath,
      headers: downloadHeaders,
      compressed: 'each',
      responses: {
        200: content(Object.values(mediaTypes) as [string, string], { headers: fileHeaders }),
        206: content(Object.values(mediaTypes) as [string, string], {
          description: 'The requested range',
          headers: [...fileHeaders, 'Content-Range'],
        }),
      },
      errors: {
        ...unknownReport,
        INVALID_STATE: 'The report is not ready.',
        GONE: 'The file has been removed.',
        RANGE_NOT_SATISFIABLE: 'The range is outside of the file.',
      },
      handle: async ({ params, headers, reports }, { reportFiles }) => {
        const report = requireFile(await findReport(reports, params.id));
        const { sizeBytes: size, sha256 } = report;
        const ETag = `"${sha256}"`;
        // A weak tag can be that of a compressed response, whose bytes are others.
        const isUnchanged = headers['If-Range'] === undefined || headers['If-Range'] === ETag;
        const range = isUnchanged ? parseRange(headers.Range, size) : undefined;
        const { start, end } = range ?? { start: 0, end: size };
        const fields = {
          'Accept-Ranges': 'bytes',
          'Content-Disposition': dispositionOf(report),
          'Content-Length': String(end - start),
          'Content-Type': mediaTypes[report.format],
          ETag,
        };
        const bytes = await openFile(report, { start, end }, reportFiles);
        if (!range) return reply(200, bytes, fields);
        return reply(206, bytes, { ...fields, 'Content-Range': `bytes ${start}-${end - 1}/${size}` });
      },
    }),
  ];
}

const mediaTypes = { pdf: 'application/pdf', csv: 'text/csv; charset=utf-8' } as const;

/** A report with a file. */
type StoredReport = Report & Required<Pick<Report, 'fileId' | 'sizeBytes' | 'sha256'>>;

/** @throws AppError GONE for an expired report, INVALID_STATE for one without a file. */
function requireFile(report: Report): StoredReport {
  const { _id: id, status, error } = report;
  if (status === 'expired') throw fileRemoved(id);
  if (status === 'failed') {
    throw new AppError('INVALID_STATE', `Report ${id} has failed: ${error?.message ?? 'it has no file.'}`);
  }
  if (status !== 'ready')
    throw new AppError('INVALID_STATE', `Report ${id} is ${status}; to download it, it must be ready.`);
  return report as StoredReport;
}

/**
 * Opens the file before the response begins. @throws AppError GONE if the store does not have it;
 * SERVICE_UNAVAILABLE while the store is unreachable.
 */
async function openFile({ _id, fileId }: StoredReport, range: ByteRange, files: FileStore): Promise<Readable> {
  try {
    return await files.read(fileId, range);
  } catch (error) {
    throw error instanceof FileMissing ? fileRemoved(_id, error) : error;
  }
}

const fileRemoved = (id: string, cause?: unknown) =>
  new AppError('GONE', `The file of report ${id} has been removed; request a new report.`, { cause });

/**
 * Names the file by title and day, without characters that a file system or a shell treats in a
 * special way.
 */
function dispositionOf({ title, createdAt, format }: Report): string {
  const name = withoutInvisible(title)
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}"'`$%&*/:;<>?\\|~]+/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.-]+/, '');
  const cut = Array.from(name).slice(0, 80).join('').trim();
  const file = `${cut === '' ? 'report' : cut} ${createdAt.toISOString().slice(0, 10)}.${format}`;
  return contentDisposition(file);
}
