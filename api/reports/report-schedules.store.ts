import { randomUUID } from 'node:crypto';
import { deleteDocument } from '../../shared/connections/mongo.ts';
import { AppError } from '../../shared/errors.ts';
import { nextRuns } from '../../shared/reports/cron-times.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import type { Owned, OwnedScenarios } from '../http/access/ownership.ts';
import type { Operation } from '../http/context.ts';
import { readPage } from '../http/paging.ts';
import {
  presentSchedule,
  type ReportScheduleCreate,
  type ReportScheduleListQuery,
  type ReportScheduleUpdate,
} from './report-schedules.schema.ts';
import { insertOfScenario } from './reports.store.ts';

/** The database operations of the schedule routes, with the errors for callers. */

/** Schedules of an account. */
const maxSchedules = 100;

export async function findSchedule({ model, visible }: Owned<ReportSchedule>, id: string): Promise<ReportSchedule> {
  const found = await model.findOne({ _id: id, ...visible }).lean<ReportSchedule>();
  if (!found) throw scheduleNotFound(id);
  return found;
}

export async function createSchedule(
  { schedules, scenarios }: { schedules: Owned<ReportSchedule>; scenarios: OwnedScenarios },
  { scenario_id: scenarioId, format, detail = 'hours', dialect, cron, timezone, enabled }: ReportScheduleCreate,
  operation?: Operation,
): Promise<ReportSchedule> {
  const now = new Date();
  const requested: ReportSchedule = {
    _id: operation?.id ?? randomUUID(),
    scenarioId,
    format,
    ...(format === 'csv' && { detail }),
    ...(dialect && { dialect }),
    cron,
    timezone,
    enabled,
    nextRunAt: nextRunOf({ cron, timezone, enabled }, now),
    lastRunAt: null,
    lastReportId: null,
    createdBy: schedules.owner,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
  return insertOfScenario(schedules, scenarios, requested, {
    most: maxSchedules,
    counted: {},
    refuse: () => new AppError('CONFLICT', `An account can have ${maxSchedules} report schedules; delete one first.`),
  });
}

export function listSchedules({ model, visible }: Owned<ReportSchedule>, query: ReportScheduleListQuery) {
  const { scenario_id: scenarioId, enabled } = query;
  const filter = {
    ...visible,
    ...(scenarioId !== undefined && { scenarioId }),
    ...(enabled !== undefined && { enabled }),
  };
  return readPage(model, query, { filter, sort: { createdAt: -1, _id: -1 }, present: presentSchedule });
}

export async function updateSchedule(
  schedules: Owned<ReportSchedule>,
  id: string,
  changes: ReportScheduleUpdate,
): Promise<ReportSchedule> {
  for (;;) {
    const { revision, ...schedule } = await findSchedule(schedules, id);
    const next = { ...schedule, ...changes };
    const isOtherTime = (['cron', 'timezone', 'enabled'] as const).some((field) => next[field] !== schedule[field]);
    const now = new Date();
    const changed = await schedules.model
      .findOneAndUpdate(
        { _id: id, revision, ...schedules.visible },
        {
          $set: {
            ...changes,
            // `detail` and `dialect` are sent for CSV only.
            ...(next.format === 'csv' && { detail: next.detail ?? 'hours' }),
            // Otherwise unchanged: a run that is due stays due.
            ...(isOtherTime && { nextRunAt: nextRunOf(next, now) }),
            updatedAt: now,
          },
          ...(next.format === 'pdf' && { $unset: { detail: 1, dialect: 1 } }),
          $inc: { revision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean<ReportSchedule>();
    if (changed) return changed;
  }
}

export async function deleteSchedule({ model, visible }: Owned<ReportSchedule>, id: string): Promise<void> {
  if (!(await deleteDocument(model, { _id: id, ...visible }))) throw scheduleNotFound(id);
}

function nextRunOf(schedule: Pick<ReportSchedule, 'cron' | 'timezone' | 'enabled'>, after: Date): Date | null {
  return schedule.enabled ? (nextRuns(schedule, after, 1)[0] ?? null) : null;
}

function scheduleNotFound(id: string): AppError {
  return new AppError('NOT_FOUND', `Report schedule ${id} does not exist.`);
}
