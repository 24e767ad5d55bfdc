import type { Job } from 'bullmq';
import type { ObjectSchema } from 'joi';
import { type Static, Type } from 'typebox';
import { allQueues, type QueueName } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import { type ErrorCode, statusOfCode, validationError } from '../../shared/errors.ts';
import { decodeFailure } from '../../shared/queues/job-failure.ts';
import type { RouteDeps } from '../app-deps.ts';
import { adminAccess } from '../http/access/access-rules.ts';
import { Joi, uuid } from '../http/input.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, oneOf, timestamp, uuid as uuidOf } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';

const queueNames = Object.keys(allQueues) as QueueName[];
const jobStates = ['failed', 'active', 'waiting', 'delayed', 'completed'] as const;
type JobState = (typeof jobStates)[number];
/** BullMQ's lists of jobs, in the order in which they are searched. */
const jobLists = ['failed', 'active', 'waiting', 'prioritized', 'delayed', 'completed'] as const;
type JobList = (typeof jobLists)[number];
/** Jobs with a priority wait too. */
const stateOfList = (list: JobList): JobState => (list === 'prioritized' ? 'waiting' : list);

/**
 * A position in a list of the jobs of a queue, counted from the newest, or from the last one of
 * those with a priority.
 */
interface JobPosition {
  queue: QueueName;
  list: JobList;
  index: number;
}

interface JobSearch {
  queue?: QueueName;
  state?: JobState;
  request_id?: string;
  scenario_id?: string;
  limit: number;
  cursor?: JobPosition;
}

/**
 * Jobs that one request reads at most. Redis has no index of payloads, so a search reads job after
 * job.
 */
const maxScanned = 1000;
const scannedAtOnce = 200;

const position = new RegExp(`^(?<queue>${queueNames.join('|')}):(?<list>${jobLists.join('|')}):(?<index>\\d{1,9})$`);

const jobSearch = ({ pageSize }: Pick<Config, 'pageSize'>): ObjectSchema<JobSearch> =>
  Joi.object<JobSearch>({
    queue: Joi.string().valid(...queueNames),
    state: Joi.string().valid(...jobStates),
    request_id: uuid().description('Jobs that this request caused.'),
    scenario_id: uuid().description('Jobs of this scenario.'),
    limit: Joi.number()
      .integer()
      .min(1)
      .max(pageSize.max)
      .default(pageSize.default)
      .description('The most jobs of a page.'),
    cursor: Joi.string()
      .custom((text: string, helpers) => {
        const groups = position.exec(text)?.groups;
        return groups ? { ...groups, index: Number(groups['index']) } : helpers.error('cursor.form');
      })
      .messages({ 'cursor.form': 'must be `next` of the response before' })
      .description('Continues: `next` of the response before, with the same parameters.'),
  });

const jobResponse = Type.Object(
  {
    queue: oneOf(queueNames),
    id: Type.String(),
    name: Type.String({ description: 'The work of the job, in words.' }),
    state: oneOf(jobStates),
    request_id: nullable(uuidOf()),
    scenario_id: nullable(uuidOf()),
    notebook_id: nullable(uuidOf()),
    attempts: count({ description: 'Attempts that were started.' }),
    created_at: timestamp(),
    started_at: nullable(timestamp(), { description: 'Start of the last attempt.' }),
    finished_at: nullable(timestamp()),
    error: nullable(Type.Object({ class: oneOf(Object.keys(statusOfCode) as ErrorCode[]), message: Type.String() }), {
      description: 'Why the last attempt failed; null for a completed job.',
    }),
  },
  { $id: 'Job' },
);

const jobListResponse = Type.Object(
  {
    items: Type.Array(jobResponse),
    scanned: count({ description: 'Jobs that were read for this page.' }),
    next: nullable(Type.String(), {
      description: '`cursor` of the next page; null if all jobs were read. A page can be empty and have a next one.',
    }),
  },
  { $id: 'JobList' },
);

/** `GET /api/v1/jobs`: finds jobs by what caused them. The dashboard changes them. */
export function jobRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/jobs',
      operationId: 'listJobs',
      tag: { name: 'jobs', description: 'The work that requests leave to workers, for admins.' },
      summary: 'Find jobs by queue, state, request or scenario',
      description: `Reads up to ${maxScanned} jobs per request: failed, active, waiting, delayed and completed ones of each queue, the newest first. Jobs whose state changes between two pages can be missing or appear twice. Failed jobs are retried at \`/admin/queues\`.`,
      access: adminAccess,
      query: jobSearch(config),
      responses: { 200: json(jobListResponse) },
      errors: { SERVICE_UNAVAILABLE: 'The queue is unreachable.' },
      handle: async ({ query }, deps) => reply(200, await searchJobs(query, deps)),
    }),
  ];
}

/**
 * Searches the jobs of all queues, or of one, in the order of `jobLists`.
 * @throws AppError VALIDATION_ERROR if the cursor is of another search.
 */
async function searchJobs(search: JobSearch, { queues }: RouteDeps): Promise<Static<typeof jobListResponse>> {
  const { queue: onlyQueue, state: onlyState, cursor, limit } = search;
  const lists = (onlyQueue ? [onlyQueue] : queueNames).flatMap((queue) =>
    jobLists
      .filter((list) => onlyState === undefined || stateOfList(list) === onlyState)
      .map((list) => ({ queue, list })),
  );
  let at = cursor ? lists.findIndex(({ queue, list }) => queue === cursor.queue && list === cursor.list) : 0;
  if (at < 0) throw validationError([{ field: 'cursor', error: 'is of another search' }]);
  let index = cursor?.index ?? 0;
  let scanned = 0;
  const items: Static<typeof jobResponse>[] = [];
  for (let current = lists[at]; current && items.length < limit && scanned < maxScanned; current = lists[at]) {
    const { queue, list } = current;
    const atMost = Math.min(scannedAtOnce, maxScanned - scanned);
    const from = index;
    const ids = await withRedis(() => queues[queue].queue.getRanges([list], from, from + atMost - 1));
    for (const id of ids) {
      if (items.length === limit) break;
      // One at a time, because the results of jobs can be large.
      const job = await withRedis(() => queues[queue].findJob(id));
      if (job && matches(job.data as SearchedPayload, search)) items.push(presentJob(queue, stateOfList(list), job));
      scanned += 1;
      index += 1;
    }
    if (index === from + ids.length && ids.length < atMost) {
      at += 1;
      index = 0;
    }
  }
  const next = lists[at];
  return { items, scanned, next: next ? `${next.queue}:${next.list}:${index}` : null };
}

interface SearchedPayload {
  requestId?: string;
  /** Several requests can have one job. */
  requestIds?: readonly string[];
  scenarioId?: string;
}

const matches = (
  { requestId, requestIds = [], scenarioId }: SearchedPayload,
  { request_id: request, scenario_id: scenario }: JobSearch,
) =>
  (request === undefined || requestId === request || requestIds.includes(request)) &&
  (scenario === undefined || scenarioId === scenario);

/** Presents the ids of a payload, and nothing else of it. */
function presentJob(queue: QueueName, state: JobState, job: Job) {
  const { requestId = null, scenarioId = null, notebookId = null } = job.data as Readonly<Record<string, string>>;
  const failure = job.failedReason && state !== 'completed' ? decodeFailure(job.failedReason) : null;
  return {
    queue,
    id: job.id ?? '',
    name: job.name,
    state,
    request_id: requestId,
    scenario_id: scenarioId,
    notebook_id: notebookId,
    attempts: job.attemptsStarted,
    created_at: isoTime(job.timestamp),
    started_at: job.processedOn ? isoTime(job.processedOn) : null,
    finished_at: job.finishedOn ? isoTime(job.finishedOn) : null,
    error: failure && { class: failure.code, message: failure.message },
  };
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();
