import { errorFields } from '../../shared/process/log.ts';
import { nextRuns } from '../../shared/reports/cron-times.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import { repeatSchedule } from '../../shared/reports/run-report-schedule.queue.ts';
import type { RouteDeps } from '../app-deps.ts';
import { keyOrTokenAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { empty, json, reply } from '../http/response.ts';
import { exampleScenarioId } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import {
  presentSchedule,
  scheduleCreate,
  scheduleListQuery,
  scheduleListResponse,
  schedulePath,
  scheduleQuery,
  scheduleResponse,
  scheduleUpdate,
  scheduleWithRunsResponse,
} from './report-schedules.schema.ts';
import {
  createSchedule,
  deleteSchedule,
  findSchedule,
  listSchedules,
  updateSchedule,
} from './report-schedules.store.ts';
import { requireCsv } from './reports.store.ts';

const tag: RouteTag = {
  name: 'report-schedules',
  description: 'Reports that are requested regularly, by a cron expression in a time zone.',
};

const path = '/api/v1/report-schedules';
const unknownSchedule = { NOT_FOUND: 'The schedule does not exist.' };

/** `/api/v1/report-schedules`: reports that are requested regularly. */
export function reportScheduleRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path,
      operationId: 'createReportSchedule',
      tag,
      summary: 'Create a schedule',
      description:
        'Each run requests a report of all usage of the scenario. Runs that are missed are made up for by one.',
      access: keyOrTokenAccess('reports:write'),
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
        const schedule = await createSchedule({ schedules, scenarios }, body, operation);
        await repeatOrStop(schedule, requestId, deps);
        const response = presentSchedule(schedule);
        return reply(201, response, { Location: `${path}/${schedule._id}`, ETag: contentTag(response) });
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listReportSchedules',
      tag,
      summary: 'List schedules, the newest first',
      access: keyOrTokenAccess('reports:read'),
      query: scheduleListQuery(config.pageSize),
      compressed: 'each',
      responses: { 200: json(scheduleListResponse) },
      handle: async ({ query, reportSchedules }) => reply(200, await listSchedules(reportSchedules, query)),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}`,
      operationId: 'getReportSchedule',
      tag,
      summary: 'Read a schedule',
      access: keyOrTokenAccess('reports:read'),
      params: schedulePath,
      query: scheduleQuery,
      responses: { 200: json(scheduleWithRunsResponse, { headers: ['ETag'] }) },
      errors: unknownSchedule,
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
      method: 'PATCH',
      path: `${path}/{id}`,
      operationId: 'updateReportSchedule',
      tag,
      summary: 'Change the sent fields of a schedule',
      access: keyOrTokenAccess('reports:write'),
      params: schedulePath,
      body: { name: 'ReportScheduleUpdate', schema: scheduleUpdate, example: { enabled: false } },
      responses: { 200: json(scheduleResponse, { headers: ['ETag'] }) },
      errors: unknownSchedule,
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
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: 'deleteReportSchedule',
      tag,
      summary: 'Delete a schedule; its reports stay',
      access: keyOrTokenAccess('reports:write'),
      params: schedulePath,
      responses: { 204: empty() },
      errors: unknownSchedule,
      handle: async ({ params: { id }, reportSchedules }, { queues, log }) => {
        await deleteSchedule(reportSchedules, id);
        // A run of a deleted schedule requests nothing and ends its repetition.
        await queues['run-report-schedule']
          .stopRepeating(id)
          .catch((error: unknown) => log.warn('repetition left to its next run', errorFields(error)));
        return reply(204);
      },
    }),
  ];
}

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
