import type { QueueName } from '../../shared/all-queues.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import { AppError } from '../../shared/errors.ts';
import { adminAccess } from '../http/access/access-rules.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { retryFailedJobs, retryJob } from './job-retry.ts';
import { type FoundJob, findJob, maxScanned, searchJobs } from './job-search.ts';
import { jobListResponse, jobResponse, jobRetryResponse, presentJob } from './jobs.presenter.ts';
import { jobList, jobPath, jobRetry, queuePath } from './jobs.schemas.ts';

const path = '/api/v1/jobs';
const tag: RouteTag = { name: 'jobs', description: 'The work that requests leave to workers, for admins.' };
const unreachable = { SERVICE_UNAVAILABLE: 'The database or the queue is unreachable.' };

/** `/api/v1/jobs`: finds jobs by what caused them, and retries failed ones. */
export function jobRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listJobs',
      tag,
      summary: 'Find jobs by queue, state, request, scenario or error',
      description: `Reads up to ${maxScanned} jobs per request: failed, active, waiting, delayed and completed ones of each queue, the newest first. Jobs whose state changes between two pages can be missing or appear twice.`,
      access: adminAccess,
      query: jobList(config),
      responses: { 200: json(jobListResponse) },
      errors: unreachable,
      handle: async ({ query }, deps) => {
        const {
          request_id: requestId,
          scenario_id: scenarioId,
          error_class: errorClass,
          cursor: from,
          ...rest
        } = query;
        const search = { requestId, scenarioId, errorClass, from, ...rest };
        const { found, scanned, next } = await withRedis(() => searchJobs(search, deps));
        const cursor = next && `${next.queue}:${next.list}:${next.index}`;
        return reply(200, { items: found.map(presentJob), scanned, next: cursor });
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/{queue}/{id}/retry`,
      operationId: 'retryJob',
      tag,
      summary: 'Retry a failed job',
      description:
        'The job has all of its attempts again. The report of a `render-report` or `render-csv` job is `queued` again.',
      access: adminAccess,
      params: jobPath,
      responses: { 200: json(jobResponse) },
      errors: { ...unreachable, NOT_FOUND: 'The job does not exist.', INVALID_STATE: 'The job has not failed.' },
      handle: async ({ params: { queue, id } }, deps) => {
        const { queues } = deps;
        const found = await withRedis(() => findJob(queues, queue, id));
        if (!found) throw jobNotFound(queue, id);
        const isRetried = await withRedis(() => retryJob(found, deps));
        const retried = await withRedis(() => findJob(queues, queue, id));
        if (!retried) throw jobNotFound(queue, id);
        if (!isRetried) throw notFailed(retried);
        return reply(200, presentJob(retried));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/{queue}/retry`,
      operationId: 'retryFailedJobs',
      tag,
      summary: 'Retry the failed jobs of a queue, all of them or those with one error code',
      description: `Reads up to ${maxScanned} failed jobs per request, the oldest first. Jobs that fail again while requests follow one another by \`cursor\` are not retried again.`,
      access: adminAccess,
      params: queuePath,
      body: { schema: jobRetry, optional: true, example: { error_class: 'UPSTREAM_ERROR' } },
      responses: { 200: json(jobRetryResponse) },
      errors: unreachable,
      handle: async ({ params, body }, deps) => {
        const { cursor = { before: Date.now(), index: 0 }, error_class: errorClass } = body ?? {};
        const { next, ...counted } = await withRedis(() =>
          retryFailedJobs(params.queue, { errorClass, ...cursor }, deps),
        );
        return reply(200, { ...counted, next: next && `${next.before}:${next.index}` });
      },
    }),
  ];
}

const jobNotFound = (queue: QueueName, id: string) => new AppError('NOT_FOUND', `The queue ${queue} has no job ${id}.`);

const notFailed = ({ state }: FoundJob) =>
  new AppError('INVALID_STATE', `The job is ${state}; only a failed job can be retried.`);
