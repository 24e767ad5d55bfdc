import { Type } from 'typebox';
import { type ErrorCode, statusOfCode } from '../../shared/errors.ts';
import { decodeFailure } from '../../shared/queues/job-failure.ts';
import { count, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';
import { type FoundJob, jobStates } from './job-search.ts';

const errorClasses = Object.keys(statusOfCode) as ErrorCode[];

export const jobResponse = Type.Object(
  {
    queue: Type.String(),
    dashboard_queue: Type.String({
      description: 'Name of the queue in the dashboard. With several ingest queues, each has a name of its own.',
    }),
    id: Type.String(),
    name: Type.String({ description: 'The work of the job, in words.' }),
    state: oneOf(jobStates),
    request_id: nullable(uuid()),
    scenario_id: nullable(uuid()),
    notebook_id: nullable(uuid()),
    attempts: count({ description: 'Attempts that were started.' }),
    created_at: timestamp(),
    started_at: nullable(timestamp(), { description: 'Start of the last attempt.' }),
    finished_at: nullable(timestamp()),
    error: nullable(Type.Object({ class: oneOf(errorClasses), message: Type.String() }), {
      description: 'Why the last attempt failed; null for a completed job.',
    }),
  },
  { $id: 'Job' },
);

const next = (description: string) => nullable(Type.String(), { description });

export const jobListResponse = Type.Object(
  {
    items: Type.Array(jobResponse),
    scanned: count({ description: 'Jobs that were read for this page.' }),
    next: next('`cursor` of the next page; null if all jobs were read. A page can be empty and have a next one.'),
  },
  { $id: 'JobList' },
);

export const jobRetryResponse = Type.Object(
  {
    retried: count(),
    scanned: count({ description: 'Failed jobs that were read.' }),
    next: next('`cursor` of the next request; null if all failed jobs were read.'),
  },
  { $id: 'JobRetryResult' },
);

/** Presents the ids of a payload, and nothing else of it. */
export function presentJob({ queue, state, job }: FoundJob) {
  const { requestId = null, scenarioId = null, notebookId = null } = job.data as Readonly<Record<string, string>>;
  const failure = job.failedReason && state !== 'completed' ? decodeFailure(job.failedReason) : null;
  return {
    queue,
    dashboard_queue: job.queueName,
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
