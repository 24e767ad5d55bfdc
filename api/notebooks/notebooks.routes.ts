import { randomUUID } from 'node:crypto';
import { type Static, type TSchema, Type } from 'typebox';
import type { Scope } from '../../shared/accounts/api-key.model.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import { AppError } from '../../shared/errors.ts';
import {
  type NotebookCall,
  type NotebookCallsResult,
  type NotebookChanges,
  type NotebookFields,
  type NotebookPageQuery,
  notebookRetryAfter,
  notebookSorts,
} from '../../shared/notebooks/notebook-calls.queue.ts';
import type { RouteDeps } from '../app-deps.ts';
import { apiKeyAccess, openAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { Joi, text, uuid } from '../http/input.ts';
import { readOnlyFields, requireUnchanged, splitFields } from '../http/read-only-fields.ts';
import { empty, json, reply } from '../http/response.ts';
import { count, nullable, timestamp, uuid as uuidText } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteRequest, type RouteSettings, type RouteTag } from '../http/route.ts';

/** The envelope of every successful response of the notebook interface. */
const successOf = <Data extends TSchema>(data: Data, options: { $id: string }) =>
  Type.Object(
    { success: Type.Literal(true), data, meta: Type.Object({ timestamp: timestamp(), request_id: uuidText() }) },
    options,
  );

const notebook = Type.Object(
  {
    id: uuidText(),
    title: Type.String({ minLength: 3, maxLength: 100 }),
    description: nullable(Type.String({ maxLength: 500 })),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { $id: 'Notebook' },
);

export const notebookResponse = successOf(notebook, { $id: 'NotebookAnswer' });

export const notebookListResponse = successOf(
  Type.Object({
    items: Type.Array(notebook),
    pagination: Type.Object({
      total: count(),
      limit: count(),
      offset: count(),
      has_more: Type.Optional(Type.Boolean({ description: 'Variant 0.1.0 only.' })),
    }),
  }),
  { $id: 'NotebookList' },
);

function success<Data>(data: Data, requestId: string) {
  return { success: true as const, data, meta: { timestamp: new Date().toISOString(), request_id: requestId } };
}

function presentNotebook(fields: NotebookFields): Static<typeof notebook> {
  const { id, title, description, createdAt, updatedAt } = fields;
  return { id, title, description, created_at: createdAt, updated_at: updatedAt };
}

const notebookPath = Joi.object<{ notebook_id: string }>({
  notebook_id: uuid('has an invalid notebook ID format: it must be a UUID').required(),
});

const title = text(3, 100).trim();
const description = text(0, 500).allow('', null);

const notebookCreate = Joi.object<{ title: string; description: string | null }>({
  title: title.required(),
  description: description.default(null),
});

/** Fields of a response that an update can repeat, so that a client can PATCH what it has read. */
const readOnlyNotebookFields = readOnlyFields(notebook, ['id', 'created_at', 'updated_at']);

const notebookUpdate = Joi.object<NotebookChanges>({
  title,
  description,
  ...readOnlyNotebookFields,
}).min(1);

const notebookListQuery = Joi.object<NotebookPageQuery>({
  limit: Joi.number().integer().min(1).max(100).default(20),
  offset: Joi.number().integer().min(0).max(1_000_000_000).default(0),
  sort: Joi.string()
    .valid(...notebookSorts)
    .default('created_at'),
  order: Joi.string().valid('asc', 'desc').default('desc'),
});

const exampleNotebook = {
  id: '607bd1c0-6aad-41f4-9abc-27c4b162ae5e',
  title: 'Field notes',
  description: 'What the logs of May show',
  created_at: '2026-05-01T12:00:00.000Z',
  updated_at: '2026-05-01T12:00:00.000Z',
};
const meta = { timestamp: '2026-05-01T12:00:00.000Z', request_id: 'd0c5cc42-1760-412d-8b12-62fc8a18f77a' };

const notebookExample: Static<typeof notebookResponse> = { success: true, data: exampleNotebook, meta };

const notebookListExample: Static<typeof notebookListResponse> = {
  success: true,
  data: { items: [exampleNotebook], pagination: { total: 1, limit: 20, offset: 0 } },
  meta,
};

const tag: RouteTag = { name: 'notebooks', description: 'Notebooks that are stored in an external backend.' };

const path = '/api/v1/notebooks';
const backendFailed = {
  UPSTREAM_ERROR: 'The notebook backend failed.',
  SERVICE_UNAVAILABLE: 'The queue is unreachable, or too many requests of the caller are waiting.',
};
const unknownNotebook = { NOT_FOUND: 'The notebook does not exist.', ...backendFailed };

/**
 * Time between the deadline of the last attempt and the deadline of the request, in milliseconds.
 * The response of the attempt needs it to pass through the queue.
 */
const responseMargin = 250;

/** `/api/v1/notebooks`: every operation is a call of the external backend, made by a worker. */
export function notebookRoutes({ config }: RouteSettings): Route[] {
  const { variant, deadlineMs } = config.notebooks;
  // A change that repeats fields reads the notebook first.
  const timeoutMs = 2 * deadlineMs + config.mongodbTimeoutMs;
  // Variant 0.1.0 requires an API key and limits requests; 0.2.0 does neither.
  const rules = (scope: Scope) =>
    variant === '0.1.0'
      ? ({ timeoutMs, access: apiKeyAccess(scope), limit: { name: 'notebooks' } } as const)
      : { timeoutMs, access: openAccess(scope), limit: null };

  const one = { tag, path: `${path}/{notebook_id}`, params: notebookPath, errors: unknownNotebook } as const;

  return [
    defineRoute({
      method: 'POST',
      path,
      operationId: 'createNotebook',
      tag,
      summary: 'Create a notebook',
      ...rules('notebooks:write'),
      body: {
        name: 'NotebookCreate',
        schema: notebookCreate,
        example: { title: 'Field notes', description: 'What the logs of May show' },
      },
      responses: { 201: json(notebookResponse, { headers: ['Location', 'ETag'], example: notebookExample }) },
      errors: backendFailed,
      handle: async ({ body, operation, ...request }, deps) => {
        const notebookId = operation?.id ?? randomUUID();
        const call: NotebookCall = {
          operation: 'create',
          notebookId,
          ...body,
          createdAt: (operation?.begunAt ?? new Date()).toISOString(),
          attemptedBefore: operation?.attemptedBefore ?? false,
        };
        const notebook = notebookOf(await callBackend(call, request, deps), notebookId);
        return reply(201, success(presentNotebook(notebook), request.requestId), {
          Location: `${path}/${notebookId}`,
          ETag: contentTag(notebook),
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listNotebooks',
      tag,
      summary: 'List notebooks',
      ...rules('notebooks:read'),
      query: notebookListQuery,
      ...(variant === '0.2.0' ? { queryErrorStatus: 422 } : {}),
      compressed: 'each',
      responses: { 200: json(notebookListResponse, { example: notebookListExample }) },
      errors: backendFailed,
      handle: async ({ query, ...request }, deps) => {
        const result = await callBackend({ operation: 'list', page: query }, request, deps);
        if (result.outcome !== 'page') throw new TypeError(`a list ended as ${result.outcome}`);
        const { items, total } = result;
        const { limit, offset } = query;
        const more = variant === '0.1.0' ? { has_more: offset + limit < total } : {};
        const page = { items: items.map(presentNotebook), pagination: { total, limit, offset, ...more } };
        return reply(200, success(page, request.requestId));
      },
    }),
    defineRoute({
      ...one,
      method: 'GET',
      operationId: 'getNotebook',
      summary: 'Read a notebook',
      ...rules('notebooks:read'),
      responses: { 200: json(notebookResponse, { headers: ['ETag'], example: notebookExample }) },
      handle: async ({ params: { notebook_id: notebookId }, ...request }, deps) => {
        const notebook = notebookOf(await callBackend({ operation: 'read', notebookId }, request, deps), notebookId);
        // The tag is a digest of the content, because a notebook can also be changed in the backend
        // directly.
        return reply(200, success(presentNotebook(notebook), request.requestId), { ETag: contentTag(notebook) });
      },
    }),
    defineRoute({
      ...one,
      method: 'PATCH',
      operationId: 'updateNotebook',
      summary: 'Change the sent fields of a notebook',
      description:
        'Read-only fields are ignored if they have the present value, so that a notebook can be sent as it was read. A changed one is an error.',
      ...rules('notebooks:write'),
      body: { name: 'NotebookUpdate', schema: notebookUpdate, example: { description: null } },
      responses: {
        200: json(notebookResponse, {
          headers: ['ETag'],
          example: { ...notebookExample, data: { ...notebookExample.data, description: null } },
        }),
      },
      handle: async ({ params: { notebook_id: notebookId }, body, ...request }, deps) => {
        const { changes, repeated } = splitFields(body, readOnlyNotebookFields);
        if (Object.keys(repeated).length > 0) {
          const present = await callBackend({ operation: 'read', notebookId }, request, deps);
          requireUnchanged(repeated, presentNotebook(notebookOf(present, notebookId)));
        }
        const call: NotebookCall = { operation: 'update', notebookId, changes };
        const notebook = notebookOf(await callBackend(call, request, deps), notebookId);
        return reply(200, success(presentNotebook(notebook), request.requestId), { ETag: contentTag(notebook) });
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      operationId: 'deleteNotebook',
      summary: 'Delete a notebook permanently',
      ...rules('notebooks:write'),
      responses: { 204: empty() },
      handle: async ({ params: { notebook_id: notebookId }, ...request }, deps) => {
        const { outcome } = await callBackend({ operation: 'delete', notebookId }, request, deps);
        if (outcome === 'absent') throw notFound(notebookId);
        return reply(204);
      },
    }),
  ];
}

/**
 * Lets a worker call the backend and waits for the result. The job continues if the client
 * disconnects.
 * @throws AppError UPSTREAM_ERROR if the backend failed or gave no response within the deadline.
 */
async function callBackend(
  call: NotebookCall,
  {
    requestId,
    caller,
    ownership: { owner, visible },
  }: Pick<RouteRequest<unknown, unknown, unknown, unknown>, 'requestId' | 'caller' | 'ownership'>,
  {
    config,
    queues,
    waitForJob,
    waitingRequests,
  }: Pick<RouteDeps, 'config' | 'queues' | 'waitForJob' | 'waitingRequests'>,
): Promise<NotebookCallsResult> {
  const endWait = waitingRequests.require(caller);
  const { deadlineMs } = config.notebooks;
  const jobId = randomUUID();
  const deadlineAt = Date.now() + deadlineMs - responseMargin;
  const owners = call.operation === 'create' ? { createdBy: owner } : visible ? { visibleTo: visible } : {};
  const outcome = await waitForJob('notebook-calls', jobId, deadlineMs, () =>
    withRedis(() => queues['notebook-calls'].add({ ...call, ...owners, requestId, deadlineAt }, { jobId })),
  ).finally(endWait);
  if (outcome.state === 'completed') return outcome.result;
  if (outcome.state === 'pending') {
    throw new AppError('UPSTREAM_ERROR', 'The notebook backend failed: it gave no response in time', {
      headers: { 'Retry-After': String(notebookRetryAfter) },
    });
  }
  throw outcome.error;
}

function notebookOf(result: NotebookCallsResult, notebookId: string): NotebookFields {
  if (result.outcome === 'notebook') return result.notebook;
  throw notFound(notebookId);
}

const notFound = (notebookId: string) => new AppError('NOT_FOUND', `Notebook ${notebookId} does not exist.`);
