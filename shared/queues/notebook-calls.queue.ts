import Joi from 'joi';
import { day, minute, second } from '../durations.ts';
import { jitteredBackoff } from './backoff.ts';
import { defineQueue, type JobPayload } from './define-queue.ts';

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
 * What is asked of the backend. Ids and times of creation are decided here, before the first attempt. `discard` follows a
 * create that was given up: it removes what an attempt may have left at the backend unheard of. A create that was
 * `attemptedBefore`, by another job, may find its own work there.
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

/** `deadlineAt` is in epoch milliseconds: no attempt begins after it, and none lasts longer. */
export type NotebookCallsPayload = JobPayload & { deadlineAt: number } & NotebookCall;

/** A notebook as it crosses Redis; times are ISO 8601. */
export interface NotebookFields {
  id: string;
  title: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A notebook that is not there is an answer, not a failure. */
export type NotebookCallsResult =
  | { outcome: 'notebook'; notebook: NotebookFields }
  | { outcome: 'page'; items: NotebookFields[]; total: number }
  | { outcome: 'deleted' }
  | { outcome: 'absent' };

/** A field that these operations have to have, and others must not. */
const of = (operations: NotebookCall['operation'][], schema: Joi.Schema) =>
  schema.required().when('operation', { is: Joi.valid(...operations), otherwise: Joi.forbidden() });

const title = Joi.string();
const description = Joi.string().allow('', null);

/** Pauses between attempts; a backend's `Retry-After` may make them longer. */
export const notebookPauses = { first: 100, longest: 1 * second };

export const notebookCallsQueue = defineQueue<NotebookCallsPayload, NotebookCallsResult>()({
  name: 'notebook-calls',
  payload: Joi.object<NotebookCallsPayload>({
    operation: Joi.valid('create', 'list', 'read', 'update', 'delete', 'discard').required(),
    notebookId: of(['create', 'read', 'update', 'delete', 'discard'], Joi.string().uuid()),
    title: of(['create'], title),
    description: of(['create'], description),
    createdAt: of(['create'], Joi.string().isoDate()),
    attemptedBefore: of(['create'], Joi.boolean()),
    changes: of(['update'], Joi.object({ title, description }).min(1)),
    page: of(
      ['list'],
      Joi.object({
        limit: Joi.number().integer().min(1).max(100).required(),
        offset: Joi.number().integer().min(0).required(),
        sort: Joi.valid(...notebookSorts).required(),
        order: Joi.valid('asc', 'desc').required(),
      }),
    ),
    deadlineAt: Joi.number().integer().required(),
    requestId: Joi.string().uuid().required(),
  }),
  concurrency: { variable: 'NOTEBOOK_CONCURRENCY', default: 32, max: 1000 },
  // The deadline ends the attempts, long before their number does.
  attempts: 1000,
  backoff: jitteredBackoff(notebookPauses),
  // By the time a job is taken over its deadline has passed, unless that is set to be long.
  maxStalledCount: 10,
  // Long enough for a request that has missed the event to find the outcome.
  keepCompleted: { age: minute, count: 1000 },
  keepFailed: { age: day, count: 1000 },
});

/** One job per given-up create; a request that is repeated may give up the same notebook again. */
export const discardJobId = ({ notebookId, deadlineAt }: { notebookId: string; deadlineAt: number }) =>
  `discard-${notebookId}-${deadlineAt}`;
