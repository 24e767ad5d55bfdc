import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import { deleteDocument } from '../../shared/connections/mongo.ts';
import { AppError, type FieldError, validationError } from '../../shared/errors.ts';
import { type ByteRange, FileMissing, type FileStore } from '../../shared/files/file-store.ts';
import { queuedBefore } from '../../shared/ingest/log-batch.model.ts';
import { errorFields } from '../../shared/process/log.ts';
import { addRenderingJob } from '../../shared/reports/render-report.queue.ts';
import { type Report, unfinishedStatuses } from '../../shared/reports/report.model.ts';
import { wholeHours } from '../../shared/usage/periods.ts';
import { readUsage, type UsageDeps } from '../../shared/usage/read-usage.ts';
import { withoutInvisible } from '../../shared/visible-text.ts';
import { keyOrTokenAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { insertWithinLimit } from '../http/access/insert-within-limit.ts';
import type { Owned } from '../http/access/ownership.ts';
import { contentTag } from '../http/entity-tag.ts';
import { idPath } from '../http/input.ts';
import { readPage } from '../http/paging.ts';
import { content, empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import {
  downloadHeaders,
  presentReport,
  type ReportCreate,
  reportCreate,
  reportCreateQuery,
  reportListQuery,
  reportListResponse,
  reportResponse,
  requireCsv,
} from './reports.schema.ts';

const tag = {
  name: 'reports',
  description: 'Usage and cost of a scenario as PDF or CSV, rendered by workers and kept for some days.',
} as const;
const reading = { tag, access: keyOrTokenAccess('reports:read') } as const;
const writing = { tag, access: keyOrTokenAccess('reports:write') } as const;

const path = '/api/v1/reports';
const unknownReport = { NOT_FOUND: 'The report does not exist.' };
const fileHeaders = ['Accept-Ranges', 'Content-Disposition', 'Content-Length', 'Content-Type', 'ETag'] as const;
/** Requests that read the usage of a scenario at the same time. */
const maxConcurrent = 2;
/** Reports of an account that are not rendered yet. */
const maxUnfinished = 20;

export function reportRoutes({ config }: RouteSettings): Route[] {
  const withSlot = createCallerSlots(maxConcurrent);
  return [
    defineRoute({
      ...writing,
      method: 'POST',
      path: '/api/v1/scenarios/{id}/reports',
      operationId: 'createReport',
      summary: 'Request a report',
      description:
        'A worker renders it. A PDF shows totals, costs by service, charts and a table by hour. A CSV has one row per hour and service, with exact amounts: each column adds up to the totals of the metrics. With `detail=entries`, it has one row per log entry that is still kept, at first-tier prices.',
      params: idPath,
      query: reportCreateQuery,
      body: { name: 'ReportCreate', schema: reportCreate, example: { format: 'pdf', title: 'Peak season' } },
      responses: { 202: json(reportResponse, { description: 'Accepted', headers: ['Location'] }) },
      errors: { NOT_FOUND: 'The scenario does not exist.' },
      handle: async (request, { models, queues, log }) => {
        const { params, query, body, operation, requestId, reports, scenarios } = request;
        const { format, dialect, title, from, to, detail = query.detail } = body;
        if (query.detail && query.detail !== detail) {
          throw validationError([{ field: 'detail', error: 'must be the same in body and query' }]);
        }
        requireCsv({ format, detail, dialect });
        const { _id: scenarioId, name } = await findScenario(scenarios, params.id);
        await withSlot(request.caller, () => requireEntriesIn({ models, queues }, scenarioId, body));
        const now = new Date();
        const { model, owner } = reports;
        const requested: Report = {
          _id: operation?.id ?? randomUUID(),
          scenarioId,
          format,
          ...(format === 'csv' && { detail: detail ?? 'hours' }),
          ...(dialect && { dialect }),
          title: title ?? name,
          ...(from && { from }),
          ...(to && { to }),
          status: 'queued',
          progress: 0,
          attempts: 0,
          createdBy: owner,
          createdAt: now,
          updatedAt: now,
        };
        const report = await insertWithinLimit<Report>(model, requested, {
          owner,
          most: maxUnfinished,
          counted: { createdBy: owner, status: { $in: unfinishedStatuses } },
          refuse: tooManyUnfinished,
          // A deletion that has removed the reports of the scenario has marked it before.
          verify: () => findScenario(scenarios, scenarioId),
        });
        // The record alone requests the report. If Redis is unreachable, the workers' sweep adds
        // the job later.
        await addRenderingJob({ models: { report: model }, queues }, report, requestId).catch((error: unknown) =>
          log.warn('report left to the sweep', errorFields(error)),
        );
        return reply(202, presentReport(report, config), { Location: `${path}/${report._id}` });
      },
    }),
    defineRoute({
      ...reading,
      method: 'GET',
      path,
      operationId: 'listReports',
      summary: 'List reports, the newest first',
      query: reportListQuery(config.pageSize),
      compressed: 'each',
      responses: { 200: json(reportListResponse) },
      handle: async ({ query, reports: { model, visible } }) => {
        const { scenario_id: scenarioId, status, format } = query;
        const filter = {
          ...visible,
          ...(scenarioId !== undefined && { scenarioId }),
          ...(status && { status }),
          ...(format && { format }),
        };
        const present = (report: Report) => presentReport(report, config);
        return reply(200, await readPage(model, query, { filter, sort: { createdAt: -1, _id: -1 }, present }));
      },
    }),
    defineRoute({
      ...reading,
      method: 'GET',
      path: `${path}/{id}`,
      operationId: 'getReport',
      summary: 'Read the state of a report',
      params: idPath,
      responses: { 200: json(reportResponse, { headers: ['ETag'] }) },
      errors: unknownReport,
      handle: async ({ params, reports }) => {
        const report = presentReport(await findReport(reports, params.id), config);
        return reply(200, report, { ETag: contentTag(report) });
      },
    }),
    defineRoute({
      ...writing,
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: 'deleteReport',
      summary: 'Delete a report with its file, also while it is rendered',
      params: idPath,
      responses: { 204: empty() },
      errors: unknownReport,
      handle: async ({ params, reports: { model, visible } }, { reportFiles, log }) => {
        // Without its record, an attempt at rendering it ends.
        const deleted = await deleteDocument<Report>(model, { _id: params.id, ...visible });
        if (!deleted) throw notFound(params.id);
        // The hourly purge removes a file without a report, if this fails.
        if (deleted.fileId) {
          await reportFiles
            .remove(deleted.fileId)
            .catch((error: unknown) => log.warn('file left to the purge', errorFields(error)));
        }
        return reply(204);
      },
    }),
    defineRoute({
      ...reading,
      method: 'GET',
      path: `${path}/{id}/download`,
      operationId: 'downloadReport',
      summary: 'Download the file of a report',
      limit: { name: 'downloads', ofOperations: true },
      params: idPath,
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

async function findReport({ model, visible }: Owned<Report>, id: string): Promise<Report> {
  const found = await model.findOne({ _id: id, ...visible }).lean<Report>();
  if (!found) throw notFound(id);
  return found;
}

const notFound = (id: string) => new AppError('NOT_FOUND', `Report ${id} does not exist.`);

function tooManyUnfinished(count: number): AppError {
  const message = `${count} reports of this account are not rendered yet: wait for them, then try again.`;
  return new AppError('RATE_LIMITED', message, { details: [{ retry_after: 10 }], headers: { 'Retry-After': '10' } });
}

/** @throws AppError VALIDATION_ERROR if the scenario has no entries in the period. */
async function requireEntriesIn(
  deps: UsageDeps,
  scenarioId: string,
  { from, to }: Pick<ReportCreate, 'from' | 'to'>,
): Promise<void> {
  if (!from && !to) return;
  // The report waits for them, and their times are not known yet.
  if ((await deps.models.logBatch.exists(queuedBefore(new Date(), [scenarioId]))) !== null) return;
  const period = wholeHours({ from, to });
  const hasEntries = await readUsage(deps, scenarioId, period, async (readDays) => {
    for await (const parts of readDays(() => 'day')) if (parts.length > 0) return true;
    return false;
  });
  if (hasEntries) return;
  const error = 'the scenario has no entries in this period';
  const fields: FieldError[] = [...(from ? [{ field: 'from', error }] : []), ...(to ? [{ field: 'to', error }] : [])];
  throw validationError(fields);
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

/**
 * Reads the header `Range` of a request for a body of `size` bytes.
 * @returns undefined if the whole body is to be sent: without a range, for several ranges, and for
 * another unit or syntax.
 * @throws AppError RANGE_NOT_SATISFIABLE if the range begins behind the end.
 */
function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [first, last] = [match[1], match[2]].map((digits) => (digits === '' ? undefined : Number(digits)));
  if (first !== undefined && last !== undefined && last < first) return undefined;
  const start = first ?? Math.max(0, size - (last ?? 0));
  const end = first === undefined || last === undefined ? size : Math.min(size, last + 1);
  if (start < end) return { start, end };
  throw new AppError('RANGE_NOT_SATISFIABLE', `The range is outside of the ${size} bytes of the file.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  });
}
