import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import { AppError, unavailable } from '../../../shared/errors.ts';
import type { NotebookCall, NotebookCallsResult, NotebookFields } from '../../../shared/queues/notebook-calls.queue.ts';
import { onRedis } from '../../../shared/redis.ts';
import type { AppDeps } from '../../app-deps.ts';
import { contentTag, sendWithTag } from '../../middleware/entity-tag.ts';
import { jsonBody } from '../../middleware/json-body.ts';
import type { AppContext, AppState } from '../../request/context.ts';
import { validateQuery } from '../../validation/query.ts';
import { isUuid } from '../../validation/uuid.ts';
import { validate } from '../../validation/validate.ts';
import { presentNotebook, presentNotebookPage, success } from './notebooks.presenter.ts';
import { notebookCreate, notebookList, notebookUpdate } from './notebooks.schemas.ts';

/** What the last attempt has less than the request that waits for it: the way of its answer through the queue. */
const answerMargin = 250;

/** `/api/v1/notebooks`: every operation is a call of the external backend, made by a worker and waited for. */
export function notebookRoutes({ config, queues, waitForJob }: AppDeps): Router<AppState> {
  const router = new Router<AppState>({ prefix: '/api/v1/notebooks' });
  const { variant, deadlineMs } = config.notebooks;

  router.post('/', jsonBody(), async (ctx) => {
    const { title, description } = validate(notebookCreate, ctx.request.body);
    const { operation } = ctx.state;
    const notebookId = operation?.id ?? randomUUID();
    const result = await call(ctx, {
      operation: 'create',
      notebookId,
      title,
      description,
      createdAt: (operation?.begunAt ?? new Date()).toISOString(),
      attemptedBefore: operation?.attemptedBefore ?? false,
    });
    const notebook = found(result, notebookId);
    ctx.status = 201;
    ctx.set('Location', `/api/v1/notebooks/${notebookId}`);
    sendNotebook(ctx, notebook);
  });

  router.get('/', async (ctx) => {
    const page = validateQuery(notebookList, ctx, variant === '0.2.0' ? 422 : undefined);
    const result = await call(ctx, { operation: 'list', page });
    if (result.outcome !== 'page') throw new TypeError(`a list ended as ${result.outcome}`);
    ctx.body = success(ctx, presentNotebookPage(result, page, variant));
  });

  router.get('/:notebook_id', async (ctx) => {
    const notebookId = notebookIdOf(ctx);
    const notebook = found(await call(ctx, { operation: 'read', notebookId }), notebookId);
    // Of the content: a notebook may be changed in the backend itself, behind our record.
    sendWithTag(ctx, contentTag(notebook), success(ctx, presentNotebook(notebook)));
  });

  router.patch('/:notebook_id', jsonBody(), async (ctx) => {
    const notebookId = notebookIdOf(ctx);
    const changes = validate(notebookUpdate, ctx.request.body);
    sendNotebook(ctx, found(await call(ctx, { operation: 'update', notebookId, changes }), notebookId));
  });

  router.delete('/:notebook_id', async (ctx) => {
    const notebookId = notebookIdOf(ctx);
    const result = await call(ctx, { operation: 'delete', notebookId });
    if (result.outcome === 'absent') throw notFound(notebookId);
    ctx.status = 204;
  });

  return router;

  /** Has a worker call the backend. It goes on when the client goes away; the deadline ends it. */
  async function call(ctx: AppContext, asked: NotebookCall): Promise<NotebookCallsResult> {
    const jobId = randomUUID();
    const deadlineAt = Date.now() + deadlineMs - answerMargin;
    const outcome = await waitForJob('notebook-calls', jobId, deadlineMs, () =>
      onRedis(() => queues['notebook-calls'].add({ ...asked, requestId: ctx.state.requestId, deadlineAt }, { jobId })),
    );
    if (outcome.state === 'completed') return outcome.result;
    if (outcome.state === 'pending') {
      throw new AppError('UPSTREAM_ERROR', 'The notebook backend failed: it gave no answer in time');
    }
    throw outcome.error.code === 'SERVICE_UNAVAILABLE' ? unavailable(outcome.error.message, 2) : outcome.error;
  }
}

function notebookIdOf(ctx: { params: Record<string, string> }): string {
  const id = ctx.params['notebook_id'] ?? '';
  if (isUuid(id)) return id.toLowerCase();
  throw new AppError('VALIDATION_ERROR', 'Invalid notebook ID format: notebook_id must be a UUID.', {
    details: [{ field: 'notebook_id', error: 'must be a UUID' }],
  });
}

function found(result: NotebookCallsResult, notebookId: string): NotebookFields {
  if (result.outcome === 'notebook') return result.notebook;
  throw notFound(notebookId);
}

function notFound(notebookId: string): AppError {
  return new AppError('NOT_FOUND', `Notebook ${notebookId} does not exist.`);
}

function sendNotebook(ctx: AppContext, notebook: NotebookFields): void {
  ctx.set('ETag', contentTag(notebook));
  ctx.body = success(ctx, presentNotebook(notebook));
}
