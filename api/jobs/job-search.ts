import type { Job, Queue } from 'bullmq';
import { allQueues, type QueueName, type Queues } from '../../shared/all-queues.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import { decodeFailure } from '../../shared/queues/job-failure.ts';
import type { RouteDeps } from '../app-deps.ts';

export const jobStates = ['failed', 'active', 'waiting', 'delayed', 'completed'] as const;
export type JobState = (typeof jobStates)[number];

/** BullMQ's lists of jobs, in the order in which they are searched. */
export const jobLists = ['failed', 'active', 'waiting', 'prioritized', 'delayed', 'completed'] as const;
type JobList = (typeof jobLists)[number];
/** Jobs with a priority wait too. */
export const stateOfList = (list: JobList): JobState => (list === 'prioritized' ? 'waiting' : list);

/** A job, and the state in which it was found. */
export interface FoundJob {
  queue: QueueName;
  state: JobState;
  job: Job;
}

export interface JobFilter {
  requestId?: string | undefined;
  scenarioId?: string | undefined;
  errorClass?: ErrorCode | undefined;
}

/**
 * A position in a list of the jobs of a queue, counted from the newest, or from the last one of
 * those with a priority.
 */
export interface JobPosition {
  queue: QueueName;
  list: JobList;
  index: number;
}

interface JobSearch extends JobFilter {
  queue?: QueueName | undefined;
  state?: JobState | undefined;
  limit: number;
  from?: JobPosition | undefined;
}

type Deps = Pick<RouteDeps, 'queues' | 'redis'>;

/**
 * Jobs that one request reads at most. Redis has no index of payloads, so a search reads job after
 * job.
 */
export const maxScanned = 1000;
export const scannedAtOnce = 200;

/**
 * Searches the jobs of all queues, or of one, in the order of `jobStates`, the newest of each state
 * first. Jobs that change their state during a search can be missing or appear twice.
 * @returns up to `limit` jobs, the number of jobs that were read, and where to continue; `next` is
 * null at the end.
 */
export async function searchJobs(
  search: JobSearch,
  deps: Deps,
): Promise<{ found: FoundJob[]; scanned: number; next: JobPosition | null }> {
  const { queue: onlyQueue, state: onlyState, errorClass, from } = search;
  const jobListsToSearch = jobLists.filter(
    (list) =>
      stateOfList(list) === (onlyState ?? stateOfList(list)) &&
      // A completed job retains the reason of its last failed attempt, which is not its error.
      (list !== 'completed' || errorClass === undefined),
  );
  const lists = (onlyQueue ? [onlyQueue] : (Object.keys(allQueues) as QueueName[])).flatMap((queue) =>
    jobListsToSearch.map((list) => ({ queue, list })),
  );
  let at = from ? lists.findIndex((list) => isOfList(from, list)) : 0;
  let index = from?.index ?? 0;
  let scanned = 0;
  const ids: { queue: QueueName; state: JobState; id: string }[] = [];
  for (let current = lists[at]; current && ids.length < search.limit && scanned < maxScanned; current = lists[at]) {
    const { queue, list } = current;
    const opened = deps.queues[queue].queue;
    const atMost = Math.min(scannedAtOnce, maxScanned - scanned);
    const read = await opened.getRanges([list], index, index + atMost - 1);
    const matches = await matchJobs(opened, read, search, deps);
    for (const [position, id] of read.entries()) {
      scanned += 1;
      index += 1;
      if (matches[position]) ids.push({ queue, state: stateOfList(list), id });
      if (ids.length === search.limit) break;
    }
    if (read.length < atMost && ids.length < search.limit) {
      at += 1;
      index = 0;
    }
  }
  const end = lists[at];
  const jobs = await Promise.all(ids.map(async (id) => ({ ...id, job: await deps.queues[id.queue].findJob(id.id) })));
  return {
    found: jobs.flatMap(({ queue, state, job }) => (job ? [{ queue, state, job }] : [])),
    scanned,
    next: end ? { ...end, index } : null,
  };
}

const isOfList = (from: JobPosition, { queue, list }: Omit<JobPosition, 'index'>) =>
  from.queue === queue && from.list === list;

/** @returns undefined if the queue has no job of this id. */
export async function findJob(queues: Queues, queue: QueueName, id: string): Promise<FoundJob | undefined> {
  // The other keys of a queue, such as `meta`, look like those of jobs. Ids of jobs have a digit.
  const job = /\d/.test(id) ? await queues[queue].findJob(id) : undefined;
  const state = await job?.getState();
  if (!job || state === 'unknown') return undefined;
  // BullMQ's further states are those of jobs that wait.
  return { queue, job, state: jobStates.find((candidate) => candidate === state) ?? 'waiting' };
}

interface SearchedPayload {
  requestId?: string;
  /** Several requests can have one job. */
  requestIds?: readonly string[];
  scenarioId?: string;
}

/**
 * Whether each of the jobs matches. Reads only the compared fields, because results of jobs can be
 * large.
 */
export async function matchJobs(
  queue: Queue,
  ids: readonly string[],
  filter: JobFilter,
  deps: Pick<Deps, 'redis'>,
): Promise<boolean[]> {
  const { requestId, scenarioId, errorClass } = filter;
  if (ids.length === 0 || (requestId ?? scenarioId ?? errorClass) === undefined) return ids.map(() => true);
  const pipeline = deps.redis.pipeline();
  for (const id of ids) pipeline.hmget(queue.toKey(id), 'data', 'failedReason');
  const rows = (await pipeline.exec()) ?? [];
  return rows.map(([error, row]) => {
    if (error) throw error;
    const [data, reason] = row as [string | null, string | null];
    const payload = JSON.parse(data ?? '{}') as SearchedPayload;
    return (
      (requestId === undefined || payload.requestId === requestId || (payload.requestIds ?? []).includes(requestId)) &&
      (scenarioId === undefined || payload.scenarioId === scenarioId) &&
      (errorClass === undefined || (reason !== null && decodeFailure(reason).code === errorClass))
    );
  });
}
