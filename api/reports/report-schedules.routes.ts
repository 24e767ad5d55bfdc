import { randomUUID } from 'node:crypto';
import { deleteDocument } from '../../shared/connections/mongo.ts';
import { AppError } from '../../shared/errors.ts';
import { errorFields } from '../../shared/process/log.ts';
import { nextRuns } from '../../shared/reports/cron-times.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import { repeatSchedule } from '../../shared/reports/run-report-schedule.queue.ts';
import type { RouteDeps } from '../app-deps.ts';
import { keyOrTokenAccess } from '../http/access/access-rules.ts';
import { insertWithinLimit } from '../http/access/insert-within-limit.ts';
import type { Owned } from '../http/access/ownership.ts';
import { contentTag } from '../http/entity-tag.ts';
import { idPath } from '../http/input.ts';
import { readPage } from '../http/paging.ts';
import { empty, json, reply } from '../http/response.ts';
import { exampleScenarioId } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import {
  presentSchedule,
  type ReportScheduleUpdate,
  requireCsv,
  scheduleCreate,
  scheduleListQuery,
  scheduleListResponse,
  scheduleQuery,
  scheduleResponse,
  scheduleUpdate,
  scheduleWithRunsResponse,
} from './reports.schema.ts';

const tag = {
  name: 'report-schedules',
  description: 'Reports that are requested regularly, by a cron expression in a time zone.',
} as const;
const reading = { tag, access: keyOrTokenAccess('reports:read') } as const;
const writing = { tag, access: keyOrTokenAccess('reports:write') } as const;

const path = '/api/v1/report-schedules';
/** Schedules of an account. */
const maxSchedules = 100;
/** Routes of one schedule. */
const one = {
  path: `${path}/{id}`,
  params: idPath,
  errors: { NOT_FOUND: 'The schedule does not exist.' },
} as const;

export function reportScheduleRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      ...writing,
      method: 'POST',
      path,
      operationId: 'createReportSchedule',
      summary: 'Create a schedule',
      description:
        'Each run requests a report of all usage of the scenario. Runs that are missed are made up for by one.',
      body: {
        name: 'ReportScheduleCreate',
        schema: scheduleCreate,
        example: {
          scenario_id: exampleScenarioId,
          format: 'pdf',
          cron: '0 7 1 * *',
          timezone: 'Europe/Vienna',
        },
      },
      responses: { 201: json(scheduleResponse, { headers: ['Location', 'ETag'] }) },
      errors: { NOT_FOUND: 'The scenario does not exist.', CONFLICT: 'The account has too many schedules.' },
      handle: async ({ body, operation, requestId, reportSchedules: schedules, scenarios }, deps) => {
        requireCsv(body);
        const { scenario_id: scenarioId, format, detail = 'hours', dialect, cron, timezone, enabled } = body;
        const { model, owner } = schedules;
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
          nextRunAt: nextRunOf(body, now),
          lastRunAt: null,
          lastReportId: null,
          createdBy: owner,
          revision: 1,
          createdAt: now,
          updatedAt: now,
        };
        const schedule = await insertWithinLimit<ReportSchedule>(model, requested, {
          owner,
          most: maxSchedules,
          counted: { createdBy: owner },
          refuse: () =>
            new AppError('CONFLICT', `An account can have ${maxSchedules} report schedules; delete one first.`),
          // A deletion that has removed the schedules of the scenario has marked it before.
          verify: () => findScenario(scenarios, scenarioId),
        });
        await repeatOrStop(schedule, requestId, deps);
        const response = presentSchedule(schedule);
        return reply(201, response, { Location: `${path}/${schedule._id}`, ETag: contentTag(response) });
      },
    }),
    defineRoute({
      ...reading,
      method: 'GET',
      path,
      operationId: 'listReportSchedules',
      summary: 'List schedules, the newest first',
      query: scheduleListQuery(config.pageSize),
      compressed: 'each',
      responses: { 200: json(scheduleListResponse) },
      handle: async ({ query, reportSchedules: { model, visible } }) => {
        const { scenario_id: scenarioId, enabled } = query;
        const filter = {
          ...visible,
          ...(scenarioId !== undefined && { scenarioId }),
          ...(enabled !== undefined && { enabled }),
        };
        const list = { filter, sort: { createdAt: -1, _id: -1 }, present: presentSchedule } as const;
        return reply(200, await readPage(model, query, list));
      },
    }),
    defineRoute({
      ...reading,
      ...one,
      method: 'GET',
      operationId: 'getReportSchedule',
      summary: 'Read a schedule',
      query: scheduleQuery,
      responses: { 200: json(scheduleWithRunsResponse, { headers: ['ETag'] }) },
      handle: async ({ params, query: { runs }, reportSchedules }) => {
        const schedule = await findSchedule(reportSchedules, params.id);
        const response = {
          ...presentSchedule(schedule),
          ...(runs !== undefined && { next_runs: presentRuns(schedule, runs) }),
        };
        return reply(200, response, { ETag: contentTag(response) });
      },
    }),
    defineRoute({
      ...writing,
      ...one,
      method: 'PATCH',
      operationId: 'updateReportSchedule',
      summary: 'Change the sent fields of a schedule',
      body: { name: 'ReportScheduleUpdate', schema: scheduleUpdate, example: { enabled: false } },
      responses: { 200: json(scheduleResponse, { headers: ['ETag'] }) },
      handle: async ({ params, body, requestId, reportSchedules }, deps) => {
        const { format } = await findSchedule(reportSchedules, params.id);
        requireCsv({ format, ...body });
        const schedule = await updateSchedule(reportSchedules, params.id, body);
        await repeatOrStop(schedule, requestId, deps);
        const response = presentSchedule(schedule);
        return reply(200, response, { ETag: contentTag(response) });
      },
    }),
    defineRoute({
      ...writing,
      ...one,
      method: 'DELETE',
      operationId: 'deleteReportSchedule',
      summary: 'Delete a schedule; its reports stay',
      responses: { 204: empty() },
      handle: async ({ params: { id }, reportSchedules: { model, visible } }, { queues, log }) => {
        if (!(await deleteDocument<ReportSchedule>(model, { _id: id, ...visible }))) throw notFound(id);
        // A run of a deleted schedule requests nothing and ends its repetition.
        await queues['run-report-schedule']
          .stopRepeating(id)
          .catch((error: unknown) => log.warn('repetition left to its next run', errorFields(error)));
        return reply(204);
      },
    }),
  ];
}

async function findSchedule({ model, visible }: Owned<ReportSchedule>, id: string): Promise<ReportSchedule> {
  const found = await model.findOne({ _id: id, ...visible }).lean<ReportSchedule>();
  if (!found) throw notFound(id);
  return found;
}

async function updateSchedule(
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

function nextRunOf(schedule: Pick<ReportSchedule, 'cron' | 'timezone' | 'enabled'>, after: Date): Date | null {
  return schedule.enabled ? (nextRuns(schedule, after, 1)[0] ?? null) : null;
}

const notFound = (id: string) => new AppError('NOT_FOUND', `Report schedule ${id} does not exist.`);

/**
 * The record alone decides about runs. If Redis is unreachable, the workers' sweep adds the job of
 * a run that is due.
 */
async function repeatOrStop(
  schedule: ReportSchedule,
  requestId: string,
  { queues, log }: Pick<RouteDeps, 'queues' | 'log'>,
): Promise<void> {
  const { _id: scheduleId, enabled } = schedule;
  const queue = queues['run-report-schedule'];
  const change = enabled
    ? queue.repeat(scheduleId, repeatSchedule(schedule), { scheduleId, requestId })
    : queue.stopRepeating(scheduleId);
  await change.catch((error: unknown) => log.warn('schedule left to the sweep', errorFields(error)));
}

/** A run that is due and not begun yet comes first. */
function presentRuns(schedule: ReportSchedule, count: number): string[] {
  const { nextRunAt } = schedule;
  if (!nextRunAt) return [];
  const now = new Date();
  const following = nextRuns(schedule, nextRunAt > now ? nextRunAt : now, count - 1);
  return [nextRunAt, ...following].map((run) => run.toISOString());
}
