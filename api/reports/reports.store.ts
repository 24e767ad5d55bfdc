import { randomUUID } from 'node:crypto';
import type { QueryFilter } from 'mongoose';
import type { Config } from '../../shared/config/config.ts';
import { deleteDocument, isDuplicateKey } from '../../shared/connections/mongo.ts';
import { AppError, type FieldError, validationError } from '../../shared/errors.ts';
import { queuedBefore } from '../../shared/ingest/log-batch.model.ts';
import { type Report, unfinishedStatuses } from '../../shared/reports/report.model.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { wholeHours } from '../../shared/usage/periods.ts';
import { readUsage, type UsageDeps } from '../../shared/usage/read-usage.ts';
import type { Owned, OwnedScenarios } from '../http/access/ownership.ts';
import type { Operation } from '../http/context.ts';
import { readPage } from '../http/paging.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { presentReport, type ReportCreate, type ReportListQuery } from './reports.schema.ts';

/** The database operations of the report routes, with the errors for callers. */

/** Reports of an account that are not rendered yet. */
const maxUnfinished = 20;

export async function findReport({ model, visible }: Owned<Report>, id: string): Promise<Report> {
  const found = await model.findOne({ _id: id, ...visible }).lean<Report>();
  if (!found) throw reportNotFound(id);
  return found;
}

export async function createReport(
  { reports, scenarios }: { reports: Owned<Report>; scenarios: OwnedScenarios },
  { _id: scenarioId, name }: Scenario,
  { format, detail = 'hours', dialect, title, from, to }: ReportCreate,
  operation?: Operation,
): Promise<Report> {
  const now = new Date();
  const requested: Report = {
    _id: operation?.id ?? randomUUID(),
    scenarioId,
    format,
    ...(format === 'csv' && { detail }),
    ...(dialect && { dialect }),
    title: title ?? name,
    ...(from && { from }),
    ...(to && { to }),
    status: 'queued',
    progress: 0,
    attempts: 0,
    createdBy: reports.owner,
    createdAt: now,
    updatedAt: now,
  };
  return insertOfScenario(reports, scenarios, requested, {
    most: maxUnfinished,
    counted: { status: { $in: unfinishedStatuses } },
    refuse: tooManyUnfinished,
  });
}

function tooManyUnfinished(count: number): AppError {
  return new AppError(
    'RATE_LIMITED',
    `${count} reports of this account are not rendered yet: wait for them, then try again.`,
    {
      details: [{ retry_after: 10 }],
      headers: { 'Retry-After': '10' },
    },
  );
}

/** @throws AppError VALIDATION_ERROR for `detail` and `dialect` of another format. */
export function requireCsv({ format, ...fields }: Pick<ReportCreate, 'format' | 'detail' | 'dialect'>): void {
  if (format === 'csv') return;
  const errors = (['detail', 'dialect'] as const)
    .filter((field) => fields[field] !== undefined)
    .map((field): FieldError => ({ field, error: 'is only for reports in CSV' }));
  if (errors.length > 0) throw validationError(errors);
}

/** @throws AppError VALIDATION_ERROR if the scenario has no entries in the period. */
export async function requireEntriesIn(
  deps: UsageDeps,
  scenarioId: string,
  { from, to }: Pick<ReportCreate, 'from' | 'to'>,
): Promise<void> {
  if (!from && !to) return;
  // The report waits for them, and their times are not known yet.
  if ((await deps.models.logBatch.exists(queuedBefore(new Date(), [scenarioId]))) !== null) return;
  const period = wholeHours({ from, to });
  const hasEntries = await readUsage(deps, scenarioId, period, async (days) => {
    for await (const hours of days) if (hours.length > 0) return true;
    return false;
  });
  if (hasEntries) return;
  const error = 'the scenario has no entries in this period';
  const fields: FieldError[] = [...(from ? [{ field: 'from', error }] : []), ...(to ? [{ field: 'to', error }] : [])];
  throw validationError(fields);
}

export function listReports({ model, visible }: Owned<Report>, query: ReportListQuery, config: Config) {
  const { scenario_id: scenarioId, status, format } = query;
  const filter = {
    ...visible,
    ...(scenarioId !== undefined && { scenarioId }),
    ...(status && { status }),
    ...(format && { format }),
  };
  const present = (report: Report) => presentReport(report, config);
  return readPage(model, query, { filter, sort: { createdAt: -1, _id: -1 }, present });
}

/**
 * Deletes the record, which ends an attempt at rendering it. @returns the deleted report, whose
 * file is to be removed.
 */
export async function deleteReport({ model, visible }: Owned<Report>, id: string): Promise<Report> {
  const deleted = await deleteDocument(model, { _id: id, ...visible });
  if (!deleted) throw reportNotFound(id);
  return deleted;
}

function reportNotFound(id: string): AppError {
  return new AppError('NOT_FOUND', `Report ${id} does not exist.`);
}

interface OfScenario {
  _id: string;
  scenarioId: string;
  createdBy?: string | null;
}

interface Limit<Row> {
  /** The most rows of an owner. */
  most: number;
  /** The rows that count. */
  counted: QueryFilter<Row>;
  /** @returns the error for an owner who has so many rows. */
  refuse: (count: number) => Error;
}

/** The last insert of each owner: those of one process wait for each other. */
const inserts = new Map<string, Promise<unknown>>();

/**
 * Inserts a row of a scenario unless its owner has too many. The rows are counted after the insert,
 * so that the processes never exceed the limit together. Two of them can both refuse the last row.
 * @returns the stored row: the new one, or that of an earlier attempt with the same id.
 */
export async function insertOfScenario<Row extends OfScenario>(
  { model, owner }: Owned<Row>,
  scenarios: OwnedScenarios,
  row: Row,
  { most, counted, refuse }: Limit<Row>,
): Promise<Row> {
  const { _id } = row;
  const insertNow = async (): Promise<Row> => {
    const filter = { ...counted, createdBy: owner, _id: { $ne: _id } } as QueryFilter<Row>;
    try {
      await model.create(row);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return (await model.findOne({ _id } as QueryFilter<Row>).lean<Row>()) ?? row;
    }
    try {
      const others = await model.countDocuments(filter);
      if (others >= most) throw refuse(others);
      // A deletion that has removed the rows of the scenario before has marked it before that.
      await findScenario(scenarios, row.scenarioId);
      return row;
    } catch (error) {
      await model.deleteOne({ _id } as QueryFilter<Row>);
      throw error;
    }
  };
  const key = `${model.modelName}/${owner}`;
  const insert = (inserts.get(key) ?? Promise.resolve()).then(insertNow, insertNow);
  inserts.set(key, insert);
  try {
    return await insert;
  } finally {
    if (inserts.get(key) === insert) inserts.delete(key);
  }
}
