import Joi from 'joi';
import { day, minute, second } from '../durations.ts';
import { defineQueue, type JobPayload, jitteredBackoff } from '../queues/define-queue.ts';

export const notebookSorts = ['created_at', 'updated_at', 'title'] as const;

export interface NotebookPageQuery {
  limit: number;
  offset: number;
  sort: (typeof notebookSorts)[number];
  order: 'asc' | 'desc';
}

export interface NotebookChanges {
  title?: string;
  description?: string | null;
}

/**
 * A call of the backend. Ids and creation times are decided before the first attempt. A `discard`
 * follows a failed create and removes the notebook that an attempt can have created without an
 * response. A create that was `attemptedBefore` by another job can find the notebook of that
 * attempt.
 */
export type NotebookCall =
  | {
      operation: 'create';
      notebookId: string;
      title: string;
      description: string | null;
      createdAt: string;
      attemptedBefore: boolean;
    }
  | { operation: 'list'; page: NotebookPageQuery }
  | { operation: 'read' | 'delete' | 'discard'; notebookId: string }
  | { operation: 'update'; notebookId: string; changes: NotebookChanges };

/** Whose notebooks a call concerns. Absent in jobs that were added before notebooks had owners. */
export interface NotebookOwners {
  /** The account that owns what is created; null without credentials. */
  createdBy?: string | null;
  /**
   * The owners whose notebooks exist for the caller, where null means without an owner; absent if
   * all do.
   */
  visibleTo?: readonly (string | null)[];
}

/** `deadlineAt` is in epoch milliseconds. Every attempt begins and ends before it. */
export type NotebookCallsPayload = JobPayload & { deadlineAt: number } & NotebookOwners & NotebookCall;

/** A notebook in the result of a job. Times are ISO 8601. */
export interface NotebookFields {
  id: string;
  title: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}

/** An absent notebook is a result, not a failure. */
export type NotebookCallsResult =
  | { outcome: 'notebook'; notebook: NotebookFields }
  | { outcome: 'page'; items: NotebookFields[]; total: number }
  | { outcome: 'deleted' }
  | { outcome: 'absent' };

/** A field that is required for some operations and forbidden for the others. */
const requiredFor = (operations: NotebookCall['operation'][], schema: Joi.Schema) =>
  schema.required().when('operation', { is: Joi.valid(...operations), otherwise: Joi.forbidden() });

const title = Joi.string();
const description = Joi.string().allow('', null);

/** Pauses between attempts, in milliseconds. A `Retry-After` of the backend can lengthen them. */
export const notebookPauses = { first: 100, longest: 1 * second };

/** Seconds after which a caller can try again, if the backend sends no `Retry-After`. */
export const notebookRetryAfter = 2;

export const notebookCallsQueue = defineQueue<NotebookCallsPayload, NotebookCallsResult>()({
  name: 'notebook-calls',
  jobName: ({ operation }) => (operation === 'list' ? 'list notebooks' : `${operation} notebook`),
  payload: {
    operation: Joi.valid('create', 'list', 'read', 'update', 'delete', 'discard').required(),
    notebookId: requiredFor(['create', 'read', 'update', 'delete', 'discard'], Joi.string().uuid()),
    title: requiredFor(['create'], title),
    description: requiredFor(['create'], description),
    createdAt: requiredFor(['create'], Joi.string().isoDate()),
    attemptedBefore: requiredFor(['create'], Joi.boolean()),
    changes: requiredFor(['update'], Joi.object({ title, description }).min(1)),
    page: requiredFor(
      ['list'],
      Joi.object({
        limit: Joi.number().integer().min(1).max(100).required(),
        offset: Joi.number().integer().min(0).required(),
        sort: Joi.valid(...notebookSorts).required(),
        order: Joi.valid('asc', 'desc').required(),
      }),
    ),
    createdBy: Joi.string().uuid().allow(null),
    visibleTo: Joi.array().items(Joi.string().uuid().allow(null)),
    deadlineAt: Joi.number().integer().required(),
  },
  isAwaited: true,
  // Calls wait for the backend, and each has at most 1 MiB of response in memory.
  concurrency: 32,
  // The number is practically unlimited, because the deadline ends the attempts.
  attempts: 1000,
  backoff: jitteredBackoff(notebookPauses),
  // Enough of both for a waiting request to read a result that is too large to be announced.
  keepCompleted: { age: minute / second, count: 1000 },
  keepFailed: { age: day / second, count: 1000 },
});

/**
 * One job per failed create. The id contains the deadline, because a repeated create can fail too.
 */
export const discardJobId = ({ notebookId, deadlineAt }: { notebookId: string; deadlineAt: number }) =>
  `discard-${notebookId}-${deadlineAt}`;
