import { randomInt, randomUUID } from 'node:crypto';
import type { QueryFilter } from 'mongoose';
import { deleteDocument, isDuplicateKey } from '../../shared/connections/mongo.ts';
import { AppError, type FieldError, validationError } from '../../shared/errors.ts';
import { queuedBefore } from '../../shared/ingest/log-batch.model.ts';
import { type Report, unfinishedStatuses } from '../../shared/reports/report.model.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { wholeHours } from '../../shared/usage/periods.ts';
import { readUsage, type UsageDeps } from '../../shared/usage/read-usage.ts';
import type { Owned, OwnedScenarios } from '../http/access/ownership.ts';
import type { Operation } from '../http/context.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import type { ReportCreate, ReportListQuery } from './reports.schema.ts';

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
  const { model, owner } = reports;
  const earlier = operation?.attemptedBefore ? await model.findById(operation.id).lean<Report>() : null;
  if (earlier) return earlier;
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
    createdBy: owner,
    createdAt: now,
    updatedAt: now,
  };
  const report = await insertIntoSlot(reports, requested, {
    limit: maxUnfinished,
    counted: { status: { $in: unfinishedStatuses } },
    refuse: tooManyUnfinished,
  });
  try {
    // A deletion that has removed the scenario's reports before has marked the scenario before
    // that.
    await findScenario(scenarios, scenarioId);
  } catch (error) {
    await model.deleteOne({ _id: report._id });
    throw error;
  }
  return report;
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

export async function listReports({ model, visible }: Owned<Report>, query: ReportListQuery) {
  const { page, page_size: pageSize, scenario_id: scenarioId, status, format } = query;
  const filter = {
    ...visible,
    ...(scenarioId !== undefined && { scenarioId }),
    ...(status && { status }),
    ...(format && { format }),
  };
  const [reports, total] = await Promise.all([
    model
      .find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * pageSize)
      .limit(pageSize)
      .lean<Report[]>(),
    model.countDocuments(filter),
  ]);
  return { reports, total };
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

interface Slotted {
  _id: string;
  createdBy?: string | null;
  slot?: string;
}

interface SlotLimit<Row> {
  /** The most rows of an owner. */
  limit: number;
  /** The rows that count. Other rows must have no slot. */
  counted: QueryFilter<Row>;
  /** @returns the error for an owner who has so many rows. */
  refuse: (count: number) => Error;
}

/**
 * Inserts a row unless its owner has too many. Concurrent inserts of all processes accept exactly
 * `limit`: each row has one of so many slots of its owner, and a unique index refuses a second row
 * in a slot. The limit follows from the stored rows alone, so an interrupted request holds no slot.
 * Rows without a slot, or with that of an earlier owner, count too.
 * @returns the stored row: the new one, or that of the same id.
 */
export async function insertIntoSlot<Row extends Slotted>(
  owned: Owned<Row>,
  row: Row,
  slotLimit: SlotLimit<Row>,
): Promise<Row> {
  const key = `${owned.model.modelName}/${owned.owner}`;
  const insertNow = () => insertUnlessFull(owned, row, slotLimit);
  const insert = (inserts.get(key) ?? Promise.resolve()).then(insertNow, insertNow);
  inserts.set(key, insert);
  try {
    return await insert;
  } finally {
    if (inserts.get(key) === insert) inserts.delete(key);
  }
}

/**
 * The last insert of each owner. Inserts of one process wait for each other, or all would try the
 * slot that has become free.
 */
const inserts = new Map<string, Promise<unknown>>();

async function insertUnlessFull<Row extends Slotted>(
  { model, owner }: Owned<Row>,
  row: Row,
  { limit, counted, refuse }: SlotLimit<Row>,
): Promise<Row> {
  for (let isRepeated = false; ; isRepeated = true) {
    const filter = { ...counted, createdBy: owner } as QueryFilter<Row>;
    const rows = await model.find(filter, { slot: 1 }).lean<Slotted[]>();
    const slots = Array.from({ length: limit }, (_, number) => `${owner}/${number}`);
    const taken = new Set(rows.flatMap(({ slot }) => (slot !== undefined && slots.includes(slot) ? [slot] : [])));
    const free = slots.slice(0, Math.max(0, limit - (rows.length - taken.size))).filter((slot) => !taken.has(slot));
    if (rows.length >= limit || free.length === 0) throw refuse(rows.length);
    try {
      // The first one, because turns go by slots; then at random, because concurrent requests try
      // the first one too.
      const slotted = { ...row, slot: free[isRepeated ? randomInt(free.length) : 0] };
      await model.create(slotted);
      return slotted;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // Either the slot is taken, or an earlier attempt of the same operation has stored the row.
    const stored = await model.findOne({ _id: row._id } as QueryFilter<Row>).lean<Row>();
    if (stored) return stored;
  }
}
